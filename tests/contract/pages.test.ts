import { beforeAll, expect, test } from 'bun:test'
import { type PetBody, petJson, walk } from '../support/http.ts'
import { onEveryEngine, startService } from '../support/service.ts'

const ANIMALS = 23

onEveryEngine('pages', service => {
  beforeAll(async () => {
    for (let n = 0; n < ANIMALS; n++)
      await service().post(petJson({ name: `animal ${n}`, status: n % 3 === 0 ? 'sold' : 'available' }))
  })

  const nextOf = async (query: string): Promise<string> => {
    const link = (await service().fetch(`/v1/pets?${query}`)).link('next')
    if (link === undefined) throw new Error(`No next page after ${query}`)
    return link
  }

  test.each([1, 2, 7, 22, 23, 24, 100])('pages of %p hold every animal once, in order', async limit => {
    const { pets, pages } = await walk(service(), `/v1/pets?limit=${limit}`)
    expect(pets.map(({ name }) => name)).toEqual(Array.from({ length: ANIMALS }, (_, n) => `animal ${n}`))
    expect(pages).toBe(Math.ceil(ANIMALS / limit))
  })

  test('a filter holds on every page', async () => {
    const { pets } = await walk(service(), '/v1/pets?limit=3&status=sold')
    expect(pets).toHaveLength(8)
    expect(pets.every(({ status }) => status === 'sold')).toBe(true)
  })

  test('the next link keeps limit and status, and adds nothing but the cursor', async () => {
    const { pathname, searchParams } = new URL(await nextOf('status=sold&limit=3&color=red'), service().url)
    expect(pathname).toBe('/v1/pets')
    expect([...searchParams.keys()].toSorted()).toEqual(['cursor', 'limit', 'status'])
    expect(searchParams.get('limit')).toBe('3')
    expect(searchParams.get('status')).toBe('sold')
  })

  test('the cursor alone goes on where the page ended, so limit may change between pages', async () => {
    const cursor = cursorOf(await nextOf('limit=3'))
    const { pets } = await service().fetch(`/v1/pets?limit=5&cursor=${cursor}`)
    expect(pets.map(({ name }) => name)).toEqual([3, 4, 5, 6, 7].map(n => `animal ${n}`))
  })

  test('a cursor sent with another status, or without its own, is a 400', async () => {
    const filtered = cursorOf(await nextOf('limit=3&status=sold'))
    const plain = cursorOf(await nextOf('limit=3'))
    for (const query of [
      `cursor=${filtered}`,
      `cursor=${filtered}&status=pending`,
      `cursor=${plain}&status=sold`,
    ])
      expect((await service().fetch(`/v1/pets?${query}`)).failure).toBe('400 invalid_query')
  })

  test('a cursor changed in any one character is a 400', async () => {
    const cursor = cursorOf(await nextOf('limit=3'))
    for (let at = 0; at < cursor.length; at++) {
      const other = cursor[at] === 'A' ? 'B' : 'A'
      const changed = cursor.slice(0, at) + other + cursor.slice(at + 1)
      expect((await service().fetch(`/v1/pets?cursor=${changed}`)).failure).toBe('400 invalid_query')
    }
  })

  test('a cursor cut short, prolonged or padded is a 400', async () => {
    const cursor = cursorOf(await nextOf('limit=3'))
    for (const changed of [cursor.slice(0, -1), cursor.slice(1), `${cursor}A`, `${cursor}=`, `%20${cursor}`])
      expect((await service().fetch(`/v1/pets?cursor=${changed}`)).failure).toBe('400 invalid_query')
  })

  test('the last page has no next link, also when it is full', async () => {
    const answer = await service().fetch(`/v1/pets?limit=${ANIMALS}`)
    expect(answer.pets).toHaveLength(ANIMALS)
    expect(answer.link('next')).toBeUndefined()
  })

  test('a cursor is good at every process on the same data', async () => {
    const link = await nextOf('limit=20')
    const other = await startService(service().options)
    const { pets } = await other.fetch(link)
    expect(pets.map(({ name }) => name)).toEqual(['animal 20', 'animal 21', 'animal 22'])
    expect(await other.stop()).toBe(0)
  })
})

onEveryEngine('pages of a growing list', service => {
  test('no animal is repeated or skipped while others are being added', async () => {
    const before: PetBody[] = []
    for (let n = 0; n < 30; n++) before.push((await service().post(petJson({ name: `old ${n}` }))).pet)
    let adding = true
    const additions = (async () => {
      for (let n = 0; adding; n++) await service().post(petJson({ name: `new ${n}` }))
    })()
    const { pets } = await walk(service(), '/v1/pets?limit=4', 60)
    adding = false
    await additions
    expect(new Set(pets.map(({ id }) => id)).size).toBe(pets.length)
    expect(pets.slice(0, before.length)).toEqual(before)
    const everyone = (await walk(service(), '/v1/pets?limit=100')).pets
    expect(everyone.slice(0, pets.length)).toEqual(pets)
  })
})

const cursorOf = (link: string): string => /cursor=([^&]+)/.exec(link)?.[1] ?? ''

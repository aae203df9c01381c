import { beforeAll, expect, test } from 'bun:test'
import { petJson, walk } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

const ANIMALS = 23
const cursorOf = (link: string): string => /cursor=([^&]+)/.exec(link)?.[1] ?? ''

onEveryEngine('listing animals', service => {
  let empty: string
  beforeAll(async () => {
    empty = (await service().fetch('/v1/pets')).text
    for (let n = 0; n < ANIMALS; n++)
      await service().post(petJson({ name: `animal ${n}`, status: n % 3 === 0 ? 'sold' : 'available' }))
  })

  const nextOf = async (query: string): Promise<string> => {
    const link = (await service().fetch(`/v1/pets?${query}`)).link('next')
    if (link === undefined) throw new Error(`No next page after ${query}`)
    return link
  }

  test('an empty store is an empty array; a page has 20 animals unless the caller says otherwise', async () => {
    expect(empty).toBe('[]')
    expect((await service().fetch('/v1/pets')).pets).toHaveLength(20)
  })

  const invalid = 'limit=0 limit= limit=<img> status=Sold status=<script> cursor=nonsense cursor=a&cursor=b'
  test.each(invalid.split(' '))('the query %p is a 400 that names what was wrong', async query => {
    const answer = await service().fetch(`/v1/pets?${query}`)
    expect(answer.failure).toBe('400 invalid_query')
    expect(answer.error.message).toContain(query.split('=')[0] ?? '')
  })

  const all = Array.from({ length: ANIMALS }, (_, n) => `animal ${n}`)
  const sold = all.filter((_, n) => n % 3 === 0)
  const limits = [1, 2, 7, 8, 9, 22, 23, 24, 100]
  test.each(limits)('pages of %p hold all animals, or all of a status, in order', async limit => {
    for (const [filter, names] of [['', all] as const, ['&status=sold', sold] as const]) {
      const { pets, pages } = await walk(service(), `/v1/pets?limit=${limit}${filter}`)
      expect(pets.map(({ name }) => name)).toEqual(names)
      expect(pages).toBe(Math.ceil(names.length / limit))
    }
    expect((await service().fetch(`/v1/pets?status=pending&limit=${limit}`)).text).toBe('[]')
  })

  test('the next link keeps limit and status, and adds nothing but the cursor', async () => {
    const { pathname, searchParams } = new URL(await nextOf('status=sold&limit=3&color=red'), service().url)
    expect(pathname).toBe('/v1/pets')
    const { cursor, ...kept } = Object.fromEntries(searchParams)
    expect([typeof cursor, kept]).toEqual(['string', { limit: '3', status: 'sold' }])
  })

  test('the cursor alone goes on where the page ended, so limit may change between pages', async () => {
    const { pets } = await service().fetch(`/v1/pets?limit=5&cursor=${cursorOf(await nextOf('limit=3'))}`)
    expect(pets.map(({ name }) => name)).toEqual([3, 4, 5, 6, 7].map(n => `animal ${n}`))
  })

  test('a cursor of another list, or cut short, prolonged or padded, is a 400', async () => {
    const cursor = cursorOf(await nextOf('limit=3'))
    const filtered = cursorOf(await nextOf('limit=3&status=sold'))
    const others = [cursor.slice(0, -1), cursor.slice(1), `${cursor}A`, `${cursor}=`, `%20${cursor}`]
    const elsewhere = [filtered, `${filtered}&status=pending`, `${cursor}&status=sold`]
    for (const other of [...elsewhere, ...others])
      expect((await service().fetch(`/v1/pets?cursor=${other}`)).failure).toBe('400 invalid_query')
  })
})

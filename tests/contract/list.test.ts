import { beforeAll, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

const ANIMALS = 25

onEveryEngine('listing animals', service => {
  let empty: string
  beforeAll(async () => {
    empty = (await service().fetch('/v1/pets')).text
    for (let n = 0; n < ANIMALS; n++)
      await service().post(petJson({ name: `animal ${n}`, status: n % 2 ? 'sold' : 'pending' }))
  })

  test('an empty store answers with an empty array', () => expect(empty).toBe('[]'))

  test('animals come in the order of their identifiers, 20 unless the caller says otherwise', async () => {
    const { pets } = await service().fetch('/v1/pets')
    expect(pets.map(({ name }) => name)).toEqual(Array.from({ length: 20 }, (_, n) => `animal ${n}`))
    expect(pets.every(({ id }, n) => id > (pets[n - 1]?.id ?? 0n))).toBe(true)
    expect((await service().fetch('/v1/pets?limit=100')).pets).toHaveLength(ANIMALS)
    expect((await service().fetch('/v1/pets?limit=1')).pets).toHaveLength(1)
  })

  test('a status filter lets through animals of that status and no others', async () => {
    const { pets } = await service().fetch('/v1/pets?status=sold&limit=100')
    expect(pets).toHaveLength(12)
    expect(new Set(pets.map(({ status }) => status))).toEqual(new Set(['sold']))
    expect((await service().fetch('/v1/pets?status=available')).text).toBe('[]')
  })

  const invalid = `limit=0 limit=101 limit=-1 limit=1.5 limit=1e1 limit=ten limit=%2B5 limit=05 limit=99999999999999999999
    limit= limit limit=5&limit=5 status= status=Sold status=unknown status=sold&status=sold status=<script> limit=<img>
    cursor= cursor=nonsense cursor=a&cursor=b`
  test.each(invalid.split(/\s+/))(
    'the query %p is answered with 400 and names what was wrong',
    async query => {
      const answer = await service().fetch(`/v1/pets?${query}`)
      expect(answer.failure).toBe('400 invalid_query')
      expect(answer.error.message).toContain(query.split('=')[0] ?? '')
    },
  )
})

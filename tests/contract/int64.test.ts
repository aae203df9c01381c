import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { petJson, walk } from '../support/http.ts'
import { query } from '../support/postgres.ts'
import { pathOf } from '../support/process.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('an int64', (service, engine) => {
  const plain = `0 -1 9007199254740991 9007199254740992 9007199254740993 -9007199254740993 1234567890123456789
    9223372036854775807 -9223372036854775808`
  const other = `-0=0 3.0=3 3e0=3 1e2=100 1E+2=100 1.5e1=15 1200e-2=12 0.001e3=1 9223372036854775807.0=9223372036854775807
    9.223372036854775807e18=9223372036854775807 0e999999999999=0`
  const pairs = `${plain} ${other}`.split(/\s+/).map(pair => pair.split('='))
  test.each(pairs)('%s is kept, to the last digit, on every way out', async (sent, kept = sent) => {
    const answer = await service().post(`{"name":"Rex","categoryId":${sent}}`)
    expect(answer).toHaveStatus(201)
    expect(answer.text).toContain(`"categoryId":${kept},`)
    expect((await service().fetch(`/v1/pets/${answer.pet.id}`)).text).toBe(answer.text)
    expect((await service().fetch('/v1/pets?limit=100')).text).toContain(answer.text)
  })

  const refused = `9223372036854775808 -9223372036854775809 9223372036854775807.5 18446744073709551616 3.5 3.00000000000000000001 1e-1 1e19 1e400
    -1e400 1e999999999999 "3" "9223372036854775807" {} true`
  test.each(refused.split(/\s+/))('%s is a 400, never a rounded number', async sent => {
    const answer = await service().post(`{"name":"Rex","categoryId":${sent}}`)
    expect(answer.failure).toBe('400 invalid_body')
    expect(answer.error.message).toContain('categoryId must be an integer')
  })

  test('beyond 2^53 is exact as an identifier, in paths and cursors too', async () => {
    const { databaseUrl } = service().options
    // SQLite counts from the first animal on.
    await service().add()
    if (engine.name === 'postgres') await query(databaseUrl, `SELECT setval('pet_ids', ${2n ** 53n})`)
    else new Database(pathOf(databaseUrl)).run(`UPDATE sqlite_sequence SET seq = ${2n ** 53n}`)
    const ids: bigint[] = []
    for (let n = 0; n < 3; n++) {
      const { text, pet } = await service().post(petJson({ status: 'sold' }))
      expect((await service().fetch(`/v1/pets/${pet.id}`)).text).toBe(text)
      ids.push(pet.id)
    }
    expect(ids).toEqual([1n, 2n, 3n].map(n => 2n ** 53n + n))
    expect((await walk(service(), '/v1/pets?limit=1&status=sold')).pets.map(({ id }) => id)).toEqual(ids)
  })
})

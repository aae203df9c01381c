import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { holds } from '../support/property.ts'
import { onEveryEngine } from '../support/service.ts'

const VALID = Buffer.from('{"name":"Rex","categoryId":7,"status":"sold"}')

/** A valid body with some bytes changed. */
const damaged = fc
  .array(fc.tuple(fc.nat({ max: VALID.length - 1 }), fc.integer({ min: 0, max: 255 })), { maxLength: 4 })
  .map(changes => {
    const bytes = Buffer.from(VALID)
    for (const [at, byte] of changes) bytes[at] = byte
    return bytes
  })

/** Objects with valid field names and arbitrary values. */
const wrong = fc
  .record(
    {
      name: fc.oneof(fc.string({ unit: 'binary' }), fc.jsonValue()),
      categoryId: fc.oneof(fc.integer(), fc.double(), fc.jsonValue()),
      status: fc.oneof(fc.constant('sold'), fc.jsonValue()),
      id: fc.jsonValue(),
    },
    { requiredKeys: [] },
  )
  .map(value => Buffer.from(JSON.stringify(value)))

onEveryEngine('any bytes as a body', service => {
  test('get 201 or a 4xx, never a 5xx', () =>
    holds(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array({ maxLength: 2000 }),
          damaged,
          wrong,
          fc.json().map(text => Buffer.from(text)),
        ),
        async bytes => {
          const answer = await service().post(bytes)
          if (answer.status === 201) expect(answer.pet.name).not.toBe('')
          else expect(answer.failure).toMatch(/^4\d\d (malformed_json|invalid_body)$/)
        },
      ),
      400,
    ))

  test('and nothing of it is logged as a fault', () => {
    expect(service().output.log.filter(({ level }) => level !== 'info')).toEqual([])
  })
})

onEveryEngine('any text as a query or an identifier', service => {
  test('gets 200 or a 4xx, never a 5xx', () =>
    holds(
      fc.asyncProperty(
        fc.constantFrom(
          '/v1/pets?limit=',
          '/v1/pets?status=',
          '/v1/pets?cursor=',
          '/v1/pets?',
          '/v1/pets/',
          '/',
        ),
        fc.oneof(fc.string({ unit: 'binary' }), fc.webQueryParameters(), fc.integer().map(String)),
        async (before, text) => {
          const { status } = await service().fetch(before + encodeURIComponent(text.toWellFormed()))
          expect(status).toBeOneOf([200, 400, 404])
        },
      ),
      200,
    ))
})

import { expect, test } from 'bun:test'
import committed from '../../openapi.json'
import { sharedService } from '../support/service.ts'

const service = sharedService({ inThread: true })
const get = (target: string) => service().fetch(target, { key: null })

test.each(['/livez', '/readyz'])('%s says without a key that all is well', async target => {
  const { status, text, headers } = await get(target)
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store'])
  expect(text).toBe('{"status":"ok","petstore":"production"}')
})

test('/openapi.json is the committed description, with this service as its server', async () => {
  const { text, headers } = await get('/openapi.json')
  expect(headers.get('content-type')).toBe('application/json')
  const servers = [{ url: '/v1', description: 'production' }]
  expect(JSON.parse(text)).toEqual({ ...committed, servers })
})

test('the description says what the interface says', () => {
  expect([committed.openapi.slice(0, 3), committed.info.version]).toEqual(['3.1', '1.0.0'])
  expect(Object.keys(committed.components.schemas).toSorted()).toEqual(
    'Error NewPet Pet PetStatus Pets'.split(' '),
  )
  expect(committed.paths).toMatchObject({
    '/pets': { get: { operationId: 'listPets' }, post: { operationId: 'createPet' } },
    '/pets/{petId}': { get: { operationId: 'getPet', deprecated: true, 'x-sunset': '2030-12-05' } },
  })
})

const nothing = `/nothing /docs/x /pets /v2/pets /v10/pets /livez/ /openapi.yaml /openapi-3.1.json /.env
  /assets/ /assets/console-0.js /assets/..%2f..%2fpackage.json /assets/__proto__-1`
test.each(nothing.split(/\s+/))('nothing else is served: %s is a 404', async target => {
  expect((await get(target)).failure).toBe('404 route_not_found')
})

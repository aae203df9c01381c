import { expect, test } from 'bun:test'
import committed from '../../openapi.json'
import { onEveryEngine } from '../support/service.ts'

interface Description {
  readonly openapi: string
  readonly info: { readonly version: string }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly paths: unknown
  readonly components: { readonly schemas: Record<string, unknown> }
}

onEveryEngine('without a key', service => {
  test.each(['/livez', '/readyz'])('%s says that all is well', async target => {
    const answer = await service().fetch(target, { key: null })
    expect(answer.status).toBe(200)
    expect(answer.text).toBe('{"status":"ok"}')
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  test('/openapi.json is the committed description, with this service as its server', async () => {
    const answer = await service().fetch('/openapi.json', { key: null })
    expect(answer.headers.get('content-type')).toBe('application/json')
    const served = JSON.parse(answer.text) as Description
    const { servers, ...rest } = served
    const { servers: _example, ...expected } = committed
    expect(JSON.stringify(rest)).toBe(JSON.stringify(expected))
    expect(servers).toEqual([{ url: '/v1', description: 'Production' }])
  })

  test('/openapi.json says what the interface says', async () => {
    const answer = await service().fetch('/openapi.json', { key: null })
    const served = JSON.parse(answer.text) as Description
    expect(served.openapi).toStartWith('3.1')
    expect(served.info.version).toBe('1.0.0')
    expect(Object.keys(served.components.schemas).toSorted()).toEqual([
      'Error',
      'NewPet',
      'Pet',
      'PetStatus',
      'Pets',
    ])
    expect(served.paths).toMatchObject({
      '/pets': { get: { operationId: 'listPets' }, post: { operationId: 'createPet' } },
      '/pets/{petId}': { get: { operationId: 'getPet', deprecated: true, 'x-sunset': '2030-12-05' } },
    })
  })

  test('/openapi.json is answered with 304 to a client that has it', async () => {
    const etag = (await service().fetch('/openapi.json', { key: null })).headers.get('etag') ?? ''
    const again = await service().fetch('/openapi.json', { key: null, headers: { 'If-None-Match': etag } })
    expect(again.status).toBe(304)
    expect(again.text).toBe('')
  })

  test.each([
    '/nothing',
    '/docs/',
    '/pets',
    '/v2/pets',
    '/v10/pets',
    '/livez/',
    '/openapi.yaml',
    '/openapi-3.1.json',
    '/.env',
  ])('nothing else is served: %s is a 404', async target => {
    expect((await service().fetch(target, { key: null })).failure).toBe('404 route_not_found')
  })
})

onEveryEngine(
  'with both addresses configured',
  service => {
    test('the description names the two servers', async () => {
      const { text } = await service().fetch('/openapi.json', { key: null })
      const { servers } = JSON.parse(text) as Description
      expect(servers.map(({ url }) => url)).toEqual([
        'https://pets.example.org/v1',
        'https://staging.example.org/v1',
      ])
    })
  },
  {
    variables: {
      PETSTORE_BASE_URL: 'https://pets.example.org/v1',
      PETSTORE_STAGING_BASE_URL: 'https://staging.example.org/v1',
    },
  },
)

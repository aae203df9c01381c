import { expect, test } from 'bun:test'
import type { Answer } from '../support/http.ts'
import { petJson, rawRequest } from '../support/http.ts'
import type { Service } from '../support/service.ts'
import { onEveryEngine } from '../support/service.ts'

const ODD_HOSTS = ['Host: evil.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']

/** Every link that the service generates, requested with headers that name another host. */
async function links(service: Service): Promise<Record<'added' | 'next' | 'documentation', string>> {
  const body = petJson({})
  const post = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  const send = (line: string, more: string[] = [], content = ''): Promise<Answer> =>
    rawRequest(service.url, [line, ...ODD_HOSTS, ...more], content)
  await send('POST /v1/pets HTTP/1.1', post, body)
  const added = await send('POST /v1/pets HTTP/1.1', post, body)
  const list = await send('GET /v1/pets?limit=1 HTTP/1.1')
  const animal = await send('GET /v1/pets/1 HTTP/1.1')
  return {
    added: added.headers.get('location') ?? '',
    next: list.link('next') ?? '',
    documentation: animal.link('deprecation') ?? '',
  }
}

onEveryEngine('links', service => {
  test('are path-absolute, and lead where they say', async () => {
    const { added, next, documentation } = await links(service())
    expect(added).toMatch(/^\/v1\/pets\/\d+$/)
    expect(next).toMatch(/^\/v1\/pets\?limit=1&cursor=[\w-]+$/)
    expect(documentation).toBe('/docs#deprecation')
    for (const link of [added, next, documentation]) expect((await service().fetch(link)).status).toBe(200)
  })
})

onEveryEngine(
  'links with PETSTORE_BASE_URL',
  service => {
    test('are absolute, below that address and never below the Host header', async () => {
      const { added, next, documentation } = await links(service())
      expect(added).toMatch(/^https:\/\/pets\.example\.org\/shop\/v1\/pets\/\d+$/)
      expect(next).toMatch(/^https:\/\/pets\.example\.org\/shop\/v1\/pets\?limit=1&cursor=/)
      expect(documentation).toBe('https://pets.example.org/shop/docs#deprecation')
    })
  },
  { variables: { PETSTORE_BASE_URL: 'https://pets.example.org/shop/v1' } },
)

onEveryEngine(
  'links in staging',
  service => {
    test('use the address of staging', async () => {
      expect((await links(service())).added).toMatch(/^https:\/\/staging\.example\.org\/v1\/pets\/\d+$/)
    })
  },
  {
    variables: {
      PETSTORE_ENV: 'staging',
      PETSTORE_BASE_URL: 'https://pets.example.org/v1',
      PETSTORE_STAGING_BASE_URL: 'https://staging.example.org/v1',
    },
  },
)

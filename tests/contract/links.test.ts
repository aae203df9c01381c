import { expect, test } from 'bun:test'
import { petJson, rawRequest } from '../support/http.ts'
import { startService } from '../support/service.ts'

const PRODUCTION = { PETSTORE_BASE_URL: 'https://pets.example.org/shop/v1' }
const STAGING = { PETSTORE_STAGING_BASE_URL: 'https://staging.example.org/v1' }

test.each([
  ['absolute where PETSTORE_BASE_URL is set', 'https://pets.example.org/shop', { ...PRODUCTION, ...STAGING }],
  ['path-absolute on staging if only production has a URL', '', { PETSTORE_ENV: 'staging', ...PRODUCTION }],
  ['those of staging', 'https://staging.example.org', { PETSTORE_ENV: 'staging', ...PRODUCTION, ...STAGING }],
])('links are %s, never below the Host header, and lead where they say', async (_what, base, variables) => {
  using service = await startService({ variables })
  const body = petJson({})
  const send = (line: string, ...more: string[]) => {
    const odd = ['Host: evil.example', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']
    return rawRequest(service.url, [`${line} HTTP/1.1`, ...odd, ...more], line.startsWith('POST') ? body : '')
  }
  const json = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  await service.post(body)
  const added = (await send('POST /v1/pets', ...json)).headers.get('location') ?? ''
  const next = (await send('GET /v1/pets?limit=1')).link('next') ?? ''
  const documentation = (await send('GET /v1/pets/1')).link('deprecation') ?? ''
  expect([added, documentation]).toEqual([`${base}/v1/pets/2`, `${base}/docs#deprecation`])
  expect(next).toStartWith(`${base}/v1/pets?limit=1&cursor=`)
  for (const link of [added, next, documentation])
    expect(await service.fetch(link.slice(base.length))).toHaveStatus(200)
  expect((await service.fetch('/openapi.json')).text).toContain(`"url":"${base}/v1"`)
  // The page's script leaves a configured address alone.
  expect((await service.fetch('/docs')).text.includes('data-has-address')).toBe(base !== '')
})

import { expect, test } from 'bun:test'
import type { Environment } from '../contract/servers.ts'
import { newKey } from '../keys/api-key.ts'
import { clientConfig } from './client.ts'

const PRODUCTION = { PETSTORE_BASE_URL: 'http://pets.example/v1' }
const BOTH = { ...PRODUCTION, PETSTORE_STAGING_BASE_URL: 'http://staging.example/v1' }

test.each<[Environment, typeof PRODUCTION, flags: { baseUrl?: string }, url: string]>([
  ['production', BOTH, {}, 'http://pets.example/v1'],
  ['staging', BOTH, {}, 'http://staging.example/v1'],
  ['staging', PRODUCTION, {}, 'http://pets.example/v1'],
  ['production', BOTH, { baseUrl: 'http://other.example/v1' }, 'http://other.example/v1'],
  ['staging', BOTH, { baseUrl: 'http://other.example/v1' }, 'http://other.example/v1'],
])(
  'a key of %s chooses its server, unless --base-url names another: %j %j',
  (environment, variables, flags, url) => {
    const { env } = process
    process.env = { ...variables }
    try {
      expect(clientConfig({ apiKey: newKey(environment, 'x').key, ...flags }).baseUrl).toBe(url)
    } finally {
      process.env = env
    }
  },
)

test('without an API key, a command names its setting', () => {
  const { env } = process
  process.env = {}
  try {
    expect(() => clientConfig({})).toThrow('PETSTORE_API_KEY (--api-key) is not set')
  } finally {
    process.env = env
  }
})

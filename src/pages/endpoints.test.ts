import { expect, test } from 'bun:test'
import committed from '../../openapi.json'
import { knownServers } from './endpoints.ts'

const [production, staging] = committed.servers.map(({ url }) => url)
const DEFAULTS = {
  host: '127.0.0.1',
  port: 8080,
  tls: undefined,
  baseUrls: { production: undefined, staging: undefined },
}

test('a default start lists both servers of the committed description, and so does staging beside it', () => {
  expect(knownServers({ ...DEFAULTS, environment: 'production' })).toEqual({ production, staging })
  expect(knownServers({ ...DEFAULTS, environment: 'staging', port: 8081 })).toEqual({ production, staging })
})

test.each([{ port: 8081 }, { host: '0.0.0.0' }, { tls: {} }])(
  'a service at another address, %j, lists itself alone',
  place => {
    const servers = { production: '/v1', staging: undefined }
    expect(knownServers({ ...DEFAULTS, environment: 'production', ...place })).toEqual(servers)
  },
)

test('a configured address takes the place of the local pair', () => {
  const baseUrls = { production: 'https://pets.example.org/v1', staging: undefined }
  expect(knownServers({ ...DEFAULTS, environment: 'production', baseUrls })).toEqual(baseUrls)
})

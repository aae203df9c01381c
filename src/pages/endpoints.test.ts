import { expect, test } from 'bun:test'
import committed from '../../openapi.json'
import { RequestContext } from '../http/endpoint.ts'
import { knownServers, pageEndpoints } from './endpoints.ts'

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

test('a page that could not be made is made at the next request', async () => {
  let failures = 1
  const config = {
    ...DEFAULTS,
    environment: 'production' as const,
    hasConsole: false,
    get tls() {
      if (failures-- > 0) throw new Error('out of memory')
      return undefined
    },
  }
  const [openApi] = pageEndpoints(config)
  const route = { path: '/openapi.json', needsKey: false, endpoints: new Map() }
  const respond = async () =>
    openApi?.respond(new RequestContext(new Request('http://x/openapi.json'), 'r1', route))
  await expect(respond()).rejects.toThrow('out of memory')
  expect(await respond()).toBeDefined()
})

test('a configured address takes the place of the local pair', () => {
  const baseUrls = { production: 'https://pets.example.org/v1', staging: undefined }
  expect(knownServers({ ...DEFAULTS, environment: 'production', baseUrls })).toEqual(baseUrls)
})

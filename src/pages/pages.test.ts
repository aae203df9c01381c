import { expect, test } from 'bun:test'
import committed from '../../openapi.json'
import { originOf } from '../contract/servers.ts'
import { RequestContext } from '../http/endpoint.ts'
import { knownServers } from './files.ts'
import { servedPages } from './pages.ts'

const [production, staging] = committed.servers.map(({ url }) => url)
const NOTHING = new Uint8Array()
const UNKNOWN = { path: '/', needsKey: false, endpoints: new Map() }
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

test.each(['production', 'staging'])('a configured address of %s replaces the local pair', which => {
  const baseUrls = { production: undefined, staging: undefined, [which]: 'https://pets.example.org/v1' }
  const servers = knownServers({ ...DEFAULTS, environment: 'production', baseUrls })
  expect(servers).toEqual({ ...baseUrls, production: baseUrls.production ?? '/v1' })
})

test.each([
  ['its own address', undefined, 'staging http://127.0.0.1:8099/v1 http://127.0.0.1:8099 {{else}}'],
  [
    'the configured one',
    'https://pets.example.org/a&b/v1',
    'staging https://pets.example.org/a&amp;b/v1 https://pets.example.org/a&amp;b data-has-address {{else}}',
  ],
])('a page says the environment and %s, and leaves other braces alone', async (_, staging, said) => {
  const document = '{{environment}} {{base}} {{site}}{{has-address}} {{else}}'
  const baseUrls = { production: undefined, staging }
  const { fillIn, respond } = servedPages(
    { ...DEFAULTS, environment: 'staging', baseUrls },
    {
      openApi: { plain: NOTHING, gzip: NOTHING },
      documents: { console: document, reference: document },
      assets: [],
    },
  )
  fillIn('http://127.0.0.1:8099')
  const context = new RequestContext(new Request('http://x/'), 'r1', UNKNOWN)
  for (const page of [respond.console, respond.reference]) {
    const { body } = await page(context)
    expect(new TextDecoder().decode(body as Uint8Array)).toBe(said)
  }
})

test('an IPv6 address has brackets in a URL', () =>
  expect([originOf('http', 'fd00::1', 80), originOf('https', 'host', 443)]).toEqual([
    'http://[fd00::1]:80',
    'https://host:443',
  ]))

const FORMS = { plain: NOTHING, gzip: NOTHING }
const FILES = { openApi: FORMS, assets: [{ ...FORMS, name: 'a.js', type: 'text/javascript' }] }
const asked = (name = '') =>
  new RequestContext(Object.assign(new Request('http://x/'), { params: { name } }), 'r1', UNKNOWN)

test('each file has its type and cache policy, and pages may use no camera, location or microphone', async () => {
  const documents = { console: '', reference: '' }
  const { fillIn, respond } = servedPages(
    { ...DEFAULTS, environment: 'staging' },
    { ...FILES, documents, client: NOTHING },
  )
  fillIn('http://127.0.0.1:8099')
  const page = ['text/html; charset=utf-8', 'no-cache', 'camera=(), geolocation=(), microphone=()']
  for (const [what, ...expected] of [
    ['console', ...page],
    ['reference', ...page],
    ['asset', 'text/javascript', 'public, max-age=31536000, immutable', null],
    ['client', 'application/gzip', 'no-cache', null],
    ['openApi', 'application/json', 'private, no-cache', null],
  ] as const) {
    const { head, ...own } = await respond[what as 'asset'](asked('a.js'))
    const { headers } = head.respond(own, 'r1')
    const said = ['Content-Type', 'Cache-Control', 'Permissions-Policy'].map(name => headers.get(name))
    expect([what, ...said]).toEqual([what, ...expected])
  }
})

test('pages that were not built are not found, with advice how to build them; an unknown asset is not found, without it', () => {
  const { fillIn, respond } = servedPages({ ...DEFAULTS, environment: 'staging' }, FILES)
  fillIn('http://127.0.0.1:8099')
  for (const what of ['console', 'reference', 'client'] as const)
    expect(() => respond[what](asked())).toThrow('To build it, run npm ci, then restart the service.')
  expect(() => respond.asset(asked('b.js'))).toThrow('Nothing is served at this path.')
})

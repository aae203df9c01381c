import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hooks } from '../../../client/src/index.ts'
import { added, failure, ok, REQUEST_ID, withServer } from './scripted-server.ts'
import { API_KEY, errorOf, NEW_PET, type Scenario, storeOf } from './world.ts'

export const conveniences: Record<string, Scenario> = {
  'hooks are told of each request, answer and repeat, and never of the key': world =>
    withServer([failure(503, 'unavailable'), added], async ({ baseUrl }) => {
      const told: string[] = []
      const headers: string[] = []
      await storeOf(world, {
        baseUrl,
        onRequest: event => {
          told.push(`request ${event.operation} ${event.attempt} ${event.method} ${event.url}`)
          headers.push(...event.headers.keys())
        },
        onResponse: event => told.push(`response ${event.attempt} ${event.status} ${event.requestId}`),
        onRetry: event => told.push(`retry ${event.attempt} ${event.error.code} ${event.waitMs > 0}`),
      }).pets.create(NEW_PET)
      assert.deepEqual(told, [
        `request createPet 1 POST ${baseUrl}/pets`,
        `response 1 503 ${REQUEST_ID}`,
        'retry 1 unavailable true',
        `request createPet 2 POST ${baseUrl}/pets`,
        `response 2 201 ${REQUEST_ID}`,
      ])
      assert.ok(headers.includes('idempotency-key') && !headers.includes('authorization'))
    }),

  'a hook that throws, at once or later, fails no call and is reported once': async world => {
    const errors: string[] = []
    const fail = () => {
      throw new Error('a fault in a hook')
    }
    const logger = { debug: fail, info: fail, warn: fail, error: (text: string) => errors.push(text) }
    const hooks: Hooks = {
      onRequest: fail,
      onResponse: async () => fail(),
      onRetry: fail,
      onDeprecated: fail,
    }
    const { pets } = storeOf(world, { ...hooks, logger, logLevel: 'debug' })
    const { id } = await pets.create(NEW_PET)
    assert.equal((await pets.get(id)).id, id)
    await pets.list()
    await pause(1)
    assert.deepEqual(errors.map(text => /(\w+) threw/.exec(text)?.[1]).sort(), [
      'logger',
      'onDeprecated',
      'onRequest',
      'onResponse',
    ])
  },

  'a logger hears what its level lets through': world =>
    withServer([failure(503, 'unavailable'), ok('[]')], async ({ baseUrl, asked }) => {
      for (const [logLevel, expected] of [
        ['off', []],
        ['warn', []],
        ['info', ['info listPets retry']],
        ['debug', ['debug listPets request', 'debug listPets response', 'info listPets retry']],
      ] as const) {
        const heard = new Set<string>()
        const hear = (level: string) => (text: string, details: unknown) => {
          heard.add(`${level} ${text.replace('petstore: ', '')}`)
          assert.ok(!JSON.stringify(details).includes(world.apiKey))
        }
        const logger = { debug: hear('debug'), info: hear('info'), warn: hear('warn'), error: hear('error') }
        asked.length = 0
        await storeOf(world, { baseUrl, logger, logLevel }).pets.list()
        assert.deepEqual([...heard].sort(), expected)
      }
    }),

  'withResponse gives status, headers, request id, ETag and rate limit of the same request': world =>
    withServer(
      [failure(503, 'unavailable'), ok('[]', { ETag: '"one"', RateLimit: '"default";r=9;t=30' })],
      async ({ baseUrl, asked }) => {
        const list = storeOf(world, { baseUrl }).pets.list()
        const { data, headers, ...info } = await list.withResponse()
        assert.deepEqual(info, {
          status: 200,
          requestId: REQUEST_ID,
          etag: '"one"',
          rateLimit: { remaining: 9, resetMs: 30_000 },
          replayed: false,
          attempts: 2,
        })
        assert.equal(headers.get('etag'), '"one"')
        assert.equal((await list).items, data.items)
        assert.equal(asked.length, 2)
      },
    ),

  'withResponse tells a create that added from one that was remembered': async world => {
    const { pets } = storeOf(world)
    const idempotencyKey = crypto.randomUUID()
    const first = await pets.create(NEW_PET, { idempotencyKey }).withResponse()
    const second = await pets.create(NEW_PET, { idempotencyKey }).withResponse()
    assert.deepEqual(
      [first.status, first.replayed, second.replayed, second.data],
      [201, false, true, first.data],
    )
    const failed = await errorOf(pets.create({ name: '', categoryId: 1 }).withResponse())
    assert.equal(failed.code, 'invalid_body')
  },

  'a read is answered only if there is something new': async world => {
    const { pets } = storeOf(world)
    const { id } = await pets.create(NEW_PET)
    const { data, etag } = await pets.get(id, { ifNoneMatch: undefined }).withResponse()
    assert.equal(data?.id, id)
    const again = await pets.get(id, { ifNoneMatch: etag }).withResponse()
    assert.deepEqual([again.status, again.data], [304, undefined])
    const page = await pets.list({ status: 'pending', limit: 3 }).withResponse()
    assert.equal(await pets.list({ status: 'pending', limit: 3 }, { ifNoneMatch: page.etag }), undefined)
    const other = await pets.list({ status: 'pending', limit: 4 }, { ifNoneMatch: page.etag })
    assert.equal((await other?.next())?.items.length, 4)
    await withServer([response => response.writeHead(304).end()], async ({ baseUrl }) => {
      assert.equal((await errorOf(storeOf(world, { baseUrl }).pets.list())).code, 'unexpected_answer')
    })
  },

  'headers of the client and of a call are sent, and the version is told': world =>
    withServer([ok('[]')], async ({ baseUrl, asked }) => {
      const { pets } = storeOf(world, { baseUrl, headers: { 'X-Team': 'a', 'X-Trace': '1' } })
      await pets.list()
      await pets.list(
        {},
        { headers: { 'x-trace': '2', 'User-Agent': 'mine', Authorization: 'no', Accept: 'no' } },
      )
      const [first, second] = asked.map(({ headers }) => headers)
      assert.deepEqual([first?.['x-team'], first?.['x-trace']], ['a', '1'])
      assert.match(first?.['user-agent'] ?? '', /^petstore-client\/\d+\.\d+\.\d+$/)
      assert.deepEqual([second?.['x-team'], second?.['x-trace'], second?.['user-agent']], ['a', '2', 'mine'])
      assert.deepEqual(
        [second?.authorization, second?.accept],
        [`Bearer ${world.apiKey}`, 'application/json'],
      )
    }),

  'headers may be a Headers, pairs, or an object with gaps': world =>
    withServer([ok('[]')], async ({ baseUrl, asked }) => {
      const { pets } = storeOf(world, { baseUrl, headers: new Headers({ 'X-Team': 'a' }) })
      await pets.list({}, { headers: [['X-Trace', '1']] })
      await pets.list({}, { headers: { 'X-Team': undefined, 'X-Trace': '2' } })
      assert.deepEqual(
        asked.map(({ headers }) => [headers['x-team'], headers['x-trace']]),
        [
          ['a', '1'],
          ['a', '2'],
        ],
      )
    }),

  'a deprecated operation is told of on the console, once for a client and those made from it':
    async world => {
      const { warn } = console
      const warnings: string[] = []
      console.warn = (text: string) => warnings.push(text)
      try {
        const store = storeOf(world, { logLevel: undefined })
        for (const { pets } of [store, store, store.withOptions({ timeoutMs: 5000 })])
          await errorOf(pets.get(2n ** 62n))
        await errorOf(storeOf(world, { logLevel: 'error' }).pets.get(2n ** 62n))
      } finally {
        console.warn = warn
      }
      assert.deepEqual(warnings, ['petstore: getPet is deprecated; it is removed on 2030-12-05'])
    },

  'a client made from another differs by the options that are given': world =>
    withServer([ok('[]')], async ({ baseUrl, asked }) => {
      const store = storeOf(world, { baseUrl, headers: { 'X-Team': 'a' }, maxRetries: 0 })
      const other = store.withOptions({ int64: 'string', apiKey: API_KEY })
      await other.pets.list()
      assert.deepEqual([other.baseUrl, other.int64, store.int64], [baseUrl, 'string', 'bigint'])
      assert.equal(asked[0]?.headers['x-team'], 'a')
      assert.equal(asked[0]?.headers.authorization, `Bearer ${API_KEY}`)
      assert.throws(() => store.withOptions({ timeoutMs: -1 }), TypeError)
    }),

  'a request to any path has the key, the retries and the errors of the client': async world => {
    const store = storeOf(world, { maxRetries: 0 })
    const body = { name: 'Raw', categoryId: 2n ** 63n - 1n, note: undefined }
    const created = await store.request<{ id: number; categoryId: bigint }>('POST', '/pets', { body })
    assert.equal(created.categoryId, 2n ** 63n - 1n)
    const { data, status } = await store.request('get', '/pets', { query: { limit: 1 } }).withResponse()
    assert.deepEqual([(data as unknown[]).length, status], [1, 200])
    assert.equal((await errorOf(store.request('GET', '/orders'))).code, 'route_not_found')
    await withServer([failure(503, 'unavailable'), added], async ({ baseUrl, asked }) => {
      const other = store.withOptions({ baseUrl, maxRetries: 3 })
      assert.equal((await errorOf(other.request('POST', '/pets', { body }))).code, 'unavailable')
      assert.equal(asked.length, 1)
      await other.request('POST', '/pets', { body, idempotencyKey: 'mine' })
      assert.equal(asked[1]?.headers['idempotency-key'], 'mine')
    })
  },

  'a rate limit is read as a structured field': async world => {
    for (const [RateLimit, expected] of [
      ['"default";r=9;t=30', { remaining: 9, resetMs: 30_000 }],
      ['"a;r=1, b";t=30; r=9', { remaining: 9, resetMs: 30_000 }],
      ['default;pk=":;r=1";r=9', { remaining: 9, resetMs: undefined }],
      ['"first";r=9, "second";r=1', { remaining: 9, resetMs: undefined }],
      ['"default";t=30', undefined],
      ['"default";r=x', undefined],
      [';r=9', undefined],
    ] as const) {
      const fetch = async () => new Response('[]', { headers: { RateLimit } })
      const { rateLimit } = await storeOf(world, { fetch }).pets.list().withResponse()
      assert.deepEqual(rateLimit, expected, RateLimit)
    }
  },

  'each environment has a variable for its address, and no other address is taken': async world => {
    for (const [environment, name] of [
      ['production', 'PETSTORE_BASE_URL'],
      ['staging', 'PETSTORE_STAGING_BASE_URL'],
    ] as const) {
      const addressOf = () => new world.client.Petstore({ apiKey: API_KEY, environment }).baseUrl
      assert.throws(addressOf, new RegExp(`baseUrl or ${name} must`))
      process.env[name] = `https://${environment}.example.org/v1`
      try {
        assert.equal(addressOf(), `https://${environment}.example.org/v1`)
        process.env[name] = 'nowhere'
        assert.throws(addressOf, new RegExp(`${name} must`))
      } finally {
        delete process.env[name]
      }
    }
  },
}

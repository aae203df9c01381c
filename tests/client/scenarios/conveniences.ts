import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { Hooks, PetstoreError } from '../../../client/src/index.ts'
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

  'staging has an address of its own': async world => {
    const addressOf = () => new world.client.Petstore({ apiKey: API_KEY, environment: 'staging' }).baseUrl
    assert.equal(addressOf(), 'http://127.0.0.1:8081/v1')
    process.env.PETSTORE_STAGING_BASE_URL = 'https://staging.example.org/v1'
    try {
      assert.equal(addressOf(), 'https://staging.example.org/v1')
      process.env.PETSTORE_STAGING_BASE_URL = 'nowhere'
      assert.throws(addressOf, /PETSTORE_STAGING_BASE_URL must/)
    } finally {
      delete process.env.PETSTORE_STAGING_BASE_URL
    }
  },

  'an ignored failure is as loud as that of any promise, and one that was seen is not': async world => {
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    const { pets } = storeOf(world, { maxRetries: 0 })
    await errorOf(pets.create({ name: '', categoryId: 1 }).withResponse())
    await pets.get(2n ** 62n).catch(error => (error as PetstoreError).code)
    await pause(20)
    assert.deepEqual(unhandled, [])
    void pets.create({ name: '', categoryId: 1 })
    await new Promise<void>(resolve => {
      const look = setInterval(() => {
        if (unhandled.length === 0) return
        clearInterval(look)
        resolve()
      }, 5)
    })
    process.off('unhandledRejection', note)
  },
}

import { expect, test } from 'bun:test'
import { loadConfig } from '../../src/config/load.ts'
import { type FromListener, listenerFor } from '../../src/service/listener.ts'
import { API_KEY, RawConnection } from '../support/http.ts'
import { MEASURED } from '../support/metrics.ts'
import { freshPostgresUrl } from '../support/postgres.ts'
import { eventually } from '../support/process.ts'
import { makeStore } from '../support/store.ts'

const AUTHORIZATION = `Authorization: Bearer ${API_KEY}`
const [SENT, ANNOUNCED] = [60_000, 64_000]

test('one of 64 threads takes a 64th of the memory for bodies and for cached responses', async () => {
  const DATABASE_URL = await freshPostgresUrl()
  await makeStore(DATABASE_URL, Array(40).fill('🐈'.repeat(255)))
  const variables = { DATABASE_URL, PETSTORE_SERVER_API_KEY: API_KEY, PETSTORE_THREADS: '64', ...MEASURED }
  const said: FromListener[] = []
  const send = listenerFor(message => said.push(message))
  const options = {
    port: 0,
    tls: undefined,
    rateLimits: undefined,
    recordUsesEveryMs: undefined,
  }
  await send([
    'start',
    { config: loadConfig({}, variables), lines: { level: 'error', format: 'json' }, ...options },
  ])
  const heard = <Kind extends FromListener[0]>(wanted: Kind) =>
    eventually(wanted, () =>
      said.find((message): message is FromListener & [Kind, ...unknown[]] => message[0] === wanted),
    )
  const url = `http://127.0.0.1:${(await heard('listening'))[1]}`

  // Each page has 40 KB, and 128 KiB are kept.
  for (const limit of [40, 41, 42, 43, 40]) {
    const page = await fetch(`${url}/v1/pets?limit=${limit}`, {
      headers: { Authorization: `Bearer ${API_KEY}` },
    })
    expect((await page.arrayBuffer()).byteLength).toBeGreaterThan(40_000)
  }
  await send(['report'])
  expect((await heard('report'))[1]).toMatchObject({
    'petstore_cache_reads_total{operation="listPets",result="hit"}': 0,
    'petstore_cache_reads_total{operation="listPets",result="miss"}': 5,
  })

  // Together more than a MiB.
  const connections = Array.from({ length: 20 }, () => {
    const connection = new RawConnection(url)
    const fields = [AUTHORIZATION, 'Content-Type: application/json', `Content-Length: ${ANNOUNCED}`]
    connection.send(
      `${['POST /v1/pets HTTP/1.1', 'Host: x', ...fields].join('\r\n')}\r\n\r\n${' '.repeat(SENT)}`,
    )
    return connection
  })
  expect((await Promise.race(connections.map(connection => connection.read()))).failure).toBe(
    '503 unavailable',
  )
  for (const connection of connections) connection.end()
  await send(['drain'])
})

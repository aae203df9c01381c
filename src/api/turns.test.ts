import { expect, test } from 'bun:test'
import { listen } from './listen.ts'
import { Turns } from './turns.ts'

const CONNECTIONS = 1500
/** Two turns can run between two looks of the test. */
const MOST_BETWEEN_LOOKS = 2 * 200

/** Opens all connections first, then sends a request on each in one go, and ends when all are answered. */
const CLIENT = `
let open = 0, answered = 0
const sockets = []
const socket = {
  data: () => { if (++answered === ${CONNECTIONS}) process.exit(0) },
  open: each => {
    sockets.push(each)
    if (++open === ${CONNECTIONS}) for (const one of sockets) one.write('GET / HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
  },
}
for (let n = 0; n < ${CONNECTIONS}; n++) Bun.connect({ hostname: '127.0.0.1', port: +process.argv[1], socket })
`

test('only a bounded number of requests starts in one turn of the event loop', async () => {
  let [started, most] = [0, 0]
  const fetch = async (): Promise<Response> => {
    if (++started === 1) setImmediate(() => (started = 0))
    most = Math.max(most, started)
    Bun.sleepSync(0.3)
    return new Response('done')
  }
  const server = listen(
    { host: '127.0.0.1', port: 0, variable: 'PORT' },
    { fetch: new Turns().bounding(fetch) },
  )
  const client = Bun.spawn([process.execPath, '-e', CLIENT, String(server.port)])
  expect(await client.exited).toBe(0)
  await server.stop(true)
  expect(most).toBeWithin(2, MOST_BETWEEN_LOOKS + 1)
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { cpuSeconds } from '../../../bench/load.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { KEY, postHead } from './support/clients.ts'

/** Processor time of a request, compared with that of a harmless request of the same size. */
const MOST_TIMES = 5
const REQUESTS = 200
/** Other work on the machine only ever adds to the time. */
const TRIES = 5
/** The runtime accepts heads of up to 16 KiB. */
const HEAD = 15_000

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess()
  await service.addAnimals(5)
})
afterAll(() => service.discard())

const filled = (text: string, size = HEAD): string => text.repeat(size / text.length)
const get = (target: string, ...fields: string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: x', ...fields].join('\r\n')}\r\n\r\n`
const post = (pieces: string, ...fields: string[]): string =>
  `${postHead('Transfer-Encoding: chunked', ...fields)}${pieces}0\r\n\r\n`
const piece = (size: number): string => `${size.toString(16)}\r\n${' '.repeat(size)}\r\n`

/** Sends it on a new connection and waits for the response. */
const answered = (request: string): Promise<void> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname, () => socket.write(request))
    socket.once('data', () => {
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })

async function costOf(request: string): Promise<number> {
  const before = cpuSeconds(service.process.pid)
  for (let n = 0; n < REQUESTS; n++) await answered(request)
  return cpuSeconds(service.process.pid) - before
}

const PLAIN_HEAD = get('/nothing', `X-Padding: ${filled('a')}`)
const PLAIN_LIST = get(`/v1/pets?x=${filled('a')}`, KEY)
const PLAIN_BODY = (size: number, ...fields: string[]) => post(piece(size), ...fields)
const tiny = (size: number): string => filled(piece(1), size)

test.each([
  ['a path of slashes', get(`/${filled('/')}%41`), PLAIN_HEAD],
  ['a path of slashes under /v1', get(`/v1/${filled('/')}%41`), PLAIN_HEAD],
  ['a path of escapes', get(`/${filled('%41')}`), PLAIN_HEAD],
  ['If-Match of commas', get('/openapi.json', `If-Match: ${filled(',')}`), PLAIN_HEAD],
  ['If-Match of empty tags', get('/openapi.json', `If-Match: ${filled('""')}`), PLAIN_HEAD],
  ['If-None-Match of empty tags', get('/livez', `If-None-Match: ${filled('""')}`), PLAIN_HEAD],
  [
    'Accept-Encoding of commas',
    get('/docs', 'If-None-Match: *', `Accept-Encoding: ${filled(',')}`),
    PLAIN_HEAD,
  ],
  ['Connection of commas', get('/livez', `Connection: ${filled(',')}`), PLAIN_HEAD],
  ['Host of escapes', get('/nothing').replace('x', filled('%41')), PLAIN_HEAD],
  ['an address of escapes', get(`http://${filled('%41')}/nothing`), PLAIN_HEAD],
  ['a long Authorization', get('/v1/pets', `Authorization: Bearer ${filled(', ')}`), PLAIN_HEAD],
  ['an empty query', get(`/v1/pets?${filled('&')}`, KEY), PLAIN_LIST],
  ['an escaped query', get(`/v1/pets?${filled('l&')}%`, KEY), PLAIN_LIST],
  ['a repeated parameter', get(`/v1/pets?${filled('limit=1&')}`, KEY), PLAIN_LIST],
  ['12 KB in chunks of one byte without a key', post(tiny(12_000)), PLAIN_BODY(12_000)],
  ['12 KB in chunks of one byte', post(tiny(12_000), KEY), PLAIN_BODY(12_000, KEY)],
  ['64 KB in chunks of one byte without a key', post(tiny(64_000)), PLAIN_BODY(64_000)],
  ['64 KB in chunks of one byte', post(tiny(64_000), KEY), PLAIN_BODY(64_000, KEY)],
])('%s takes at most five times a harmless request of its size', async (_what, dear, harmless) => {
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && least > MOST_TIMES; n++)
    least = Math.min(least, (await costOf(dear)) / (await costOf(harmless)))
  expect(least).toBeLessThan(MOST_TIMES)
})

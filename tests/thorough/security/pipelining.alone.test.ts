import { afterEach, beforeEach, expect, test } from 'bun:test'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { KEY, livezDuring, quantile } from './support/clients.ts'

const PIPELINER = join(import.meta.dir, 'support/pipeliner.ts')
const get = (target: string, ...fields: string[]): string =>
  `${[`GET ${target} HTTP/1.1`, 'Host: x', ...fields].join('\r\n')}\r\n\r\n`

let service: ServiceProcess
beforeEach(async () => {
  service = await startProcess()
  for (let n = 0; n < 20; n++) await service.post(petJson({}))
})
afterEach(() => service.discard())

/** Requests that are answered without waiting for anything. */
const kinds: [string, string][] = [
  ['GET without a key', get('/v1/pets')],
  ['POST without a key', get('/v1/pets', 'Content-Length: 2').replace('GET', 'POST').concat('{}')],
  ['/livez', get('/livez')],
  ['a list', get('/v1/pets', KEY)],
  ['a list that has not changed', get('/v1/pets', KEY, 'If-None-Match: *')],
  ['a page', get('/docs', 'Accept-Encoding: gzip')],
  ['a query of many parameters', get(`/v1/pets?${'limit=1&'.repeat(1900)}`, KEY)],
]
const cases = kinds.flatMap(([kind, request]) => [1, 64].map(count => [kind, count, request] as const))

test.each(cases)('%s, pipelined on %d connections, holds up nobody', async (_kind, count, request) => {
  const attacker = Bun.spawn([process.execPath, PIPELINER, service.url, request, String(count)])
  await Bun.sleep(300)
  const times = await livezDuring(service.url, Bun.sleep(1200))
  attacker.kill('SIGKILL')
  // Without a bound on what one turn of the event loop answers, a median is seconds.
  expect(quantile(times, 0.99)).toBeLessThan(500)
})

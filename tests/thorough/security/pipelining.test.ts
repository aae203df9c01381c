import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { RawConnection } from '../../support/http/raw-http.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, measured } from '../faults/support/form.ts'
import { KINDS, type Kind } from './support/pipeliner.ts'

const ATTACK_MS = figure(1500, 4000)
const PIPELINER = join(import.meta.dir, 'support/pipeliner.ts')
/** Without a bound on what one turn of the event loop answers, a median is seconds. */
const P99_MS = 500

let service: ServiceProcess
let etag: string
beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  for (let n = 0; n < 20; n++) await service.post(petJson({}))
  etag = (await service.fetch('/v1/pets')).headers.get('etag') ?? ''
  await service.fetch('/docs')
})
afterAll(async () => {
  await service.kill()
})

const attack = ({ url }: ServiceProcess, kind: Kind, connections: number): Bun.Subprocess =>
  Bun.spawn([process.execPath, PIPELINER, url, KINDS[kind].replace('{etag}', etag), String(connections)])

/** How long others wait for `/livez`, each time on a new connection, while an attack goes on. */
async function livezDuring(kind: Kind, connections: number): Promise<number[]> {
  const attacker = attack(service, kind, connections)
  const times: number[] = []
  try {
    await Bun.sleep(500)
    for (const end = performance.now() + ATTACK_MS; performance.now() < end; ) {
      const started = performance.now()
      const connection = new RawConnection(service.url)
      connection.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
      expect((await connection.read()).status).toBe(200)
      connection.end()
      times.push(performance.now() - started)
    }
  } finally {
    attacker.kill('SIGKILL')
    await attacker.exited
  }
  return times.toSorted((a, b) => a - b)
}

const cases = (Object.keys(KINDS) as Kind[]).flatMap(kind =>
  [1, 8, 64].map(connections => [kind, connections] as const),
)

test.each(cases)('%s, pipelined on %d connections, does not hold up others', async (kind, connections) => {
  const times = await livezDuring(kind, connections)
  const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? Number.NaN
  const [p50, p99, worst] = [at(0.5), at(0.99), at(1)].map(Math.round) as [number, number, number]
  measured(
    `/livez while ${connections} connections pipeline ${kind}`,
    `p50 ${p50}, p99 ${p99}, worst ${worst} ms of ${times.length}`,
  )
  expect(p99).toBeLessThan(P99_MS)
})

test('the service stops in time while requests are pipelined', async () => {
  const stopping = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const attacker = attack(stopping, 'GET without a key', 4)
  await Bun.sleep(1000)
  const started = performance.now()
  expect(await stopping.stop()).toBe(0)
  measured('SIGTERM while 4 connections pipeline', `${Math.round(performance.now() - started)} ms`)
  attacker.kill('SIGKILL')
  await attacker.exited
})

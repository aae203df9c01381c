import { afterAll, expect } from 'bun:test'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { engines } from '../../support/service/engines.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, isFull, measured } from '../faults/support/form.ts'
import { programBelow } from '../faults/support/proc.ts'
import { Memory } from './support/memory.ts'
import { startOnSlowStorage } from './support/slow-storage.ts'

const CLIENT = join(import.meta.dir, 'support/overload-client.ts')
const SECONDS = figure(2, 60)
const CONNECTIONS = 2000
/** Enough to fill every commit: 512 are stored together while as many wait. */
const CALM_CONNECTIONS = 1024
const COMMIT_MS = 200
/** The guarantee is one second. The short form shares its machine with other tests, which would distort the figure. */
const P99_MS = figure(8000, 1000)
const MAX_GROWTH_MIB = figure(64, 16)
const AFTERWARDS = 10

interface Outcome {
  readonly count: number
  readonly p50: number
  readonly p99: number
}

interface Report {
  readonly sentPerSecond: number
  readonly seconds: number
  readonly broken: number
  readonly statuses: Record<string, Outcome | undefined>
}

const NONE: Outcome = { count: 0, p50: 0, p99: 0 }
const pids: number[] = []
afterAll(() => {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
})

/** Sends `rate` requests per second, or as many as are answered if it is 0. */
async function load(
  service: ServiceProcess,
  rate: number,
  seconds: number,
  connections: number,
): Promise<Report> {
  const args = [service.url, API_KEY, rate, seconds, connections].map(String)
  const child = Bun.spawn([process.execPath, CLIENT, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  return (await child.stdout.json()) as Report
}

async function timeToAdd(service: ServiceProcess): Promise<number> {
  const started = performance.now()
  expect((await service.post(petJson({}))).status).toBe(201)
  return performance.now() - started
}

/** The time of the slowest of a few sequential additions. */
async function slowestOf(service: ServiceProcess, times: number): Promise<number> {
  let slowest = 0
  for (let time = 0; time < times; time++) slowest = Math.max(slowest, await timeToAdd(service))
  return Math.round(slowest)
}

const attacks = engines.flatMap(engine => [
  { name: `${engine.name} with commits of ${COMMIT_MS} ms`, engine, isSlow: true },
  ...(isFull ? [{ name: engine.name, engine, isSlow: false }] : []),
])

needs('strace').test.each(attacks.map(attack => [attack.name, attack] as const))(
  'three times what %s can carry: an early 503 or an answer in time, flat memory, and normal at once',
  async (name, { engine, isSlow }) => {
    const service = isSlow
      ? await startOnSlowStorage(engine, COMMIT_MS)
      : await startProcess({ databaseUrl: await engine.freshDatabaseUrl() })
    const pid = programBelow(service.process.pid)
    pids.push(pid)
    if (isFull) await load(service, 0, 5, CALM_CONNECTIONS)
    const calm = await load(service, 0, figure(1, 10), CALM_CONNECTIONS)
    const capacity = Math.round((calm.statuses[201]?.count ?? 0) / calm.seconds)
    const beforeMs = await slowestOf(service, figure(2, AFTERWARDS))
    await load(service, capacity * 3, figure(1, 15), CONNECTIONS)
    const memory = new Memory(pid)
    const storm = await load(service, capacity * 3, SECONDS, CONNECTIONS)
    const { first, last } = memory.stop()
    const afterMs = await slowestOf(service, figure(2, AFTERWARDS))

    const accepted = storm.statuses[201] ?? NONE
    const refused = storm.statuses[503] ?? NONE
    measured(
      `overload of ${name}`,
      `carries ${capacity}/s; offered ${storm.sentPerSecond}/s for ${SECONDS} s: ${accepted.count} accepted (p50 ${accepted.p50} ms, p99 ${accepted.p99} ms), ${refused.count} refused (p50 ${refused.p50} ms, p99 ${refused.p99} ms); memory ${first.toFixed(0)} MiB in the first third, ${last.toFixed(0)} MiB in the last; one addition at a time: ${beforeMs} ms at most before, ${afterMs} ms right afterwards`,
    )
    expect(Object.keys(storm.statuses).filter(status => status !== '201' && status !== '503')).toEqual([])
    expect(storm.broken).toBe(0)
    expect(accepted.count).toBeGreaterThan(0)
    expect(accepted.p99).toBeLessThan(P99_MS)
    expect(last - first).toBeLessThan(MAX_GROWTH_MIB)
    expect(afterMs).toBeLessThan(P99_MS)
    // If the CPU is the bottleneck, requests wait in their connections and none has to be refused.
    if (!isSlow) return
    // A busy machine may not send as many as it should, but more than can be carried, or none would be refused.
    if (isFull) expect(storm.sentPerSecond).toBeGreaterThan(capacity * 2.9)
    expect(refused.count).toBeGreaterThan(0)
    expect(refused.p50).toBeLessThan(accepted.p50)
  },
)

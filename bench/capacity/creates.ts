import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { say } from '../../scripts/command.ts'
import { freshDatabaseUrl, PostgresServer } from '../../tests/support/postgres.ts'
import type { Point } from '../capacity.ts'
import { delayingSyncs, type Running, SERVICE, start } from '../contestants.ts'
import { loadAll } from '../load.ts'
import { linesOf } from '../measure.ts'
import { WORKLOADS } from '../workloads.ts'

/** How much longer each flush takes than the disk needs, and who sends creates to how many instances and threads. */
type Run = readonly [delayMs: number, callers: number, instances?: number, threads?: number]

/** So slow a flush that the listener does not limit it. */
const CALIBRATION: Record<Point['engine'], readonly Run[]> = {
  sqlite: [
    [0, 256],
    [5, 16],
    [5, 256],
  ],
  postgres: [
    [0, 256],
    [2, 16],
    [2, 256],
    [2, 16, 2],
    [2, 256, 2],
  ],
}
const FLUSHES: readonly Run[] = [
  [0, 64],
  [0.1, 64],
  [1, 64],
  [5, 64],
  [10, 64],
]
const CHECKS: Record<Point['engine'], readonly Run[]> = {
  sqlite: [...FLUSHES, [10, 512], [5, 64, 1, 2]],
  postgres: [...FLUSHES, [5, 256], [5, 256, 2], [5, 256, 4], [50, 512, 2]],
}
const RUNS = (['sqlite', 'postgres'] as const).flatMap(engine => [
  ...CALIBRATION[engine].map(run => ({ engine, run, isCalibration: true })),
  ...CHECKS[engine].map(run => ({ engine, run, isCalibration: false })),
])

const PROBES = 101
/** Appends a page and syncs it, as a commit does, and prints the median of the milliseconds that a sync took. */
const PROBE = `
const { openSync, writeSync, fdatasyncSync } = require('node:fs')
const file = openSync('probe', 'w')
const times = Array.from({ length: ${PROBES} }, () => {
  writeSync(file, Buffer.alloc(4096))
  const began = performance.now()
  fdatasyncSync(file)
  return performance.now() - began
})
console.log(times.toSorted((a, b) => a - b)[${(PROBES - 1) / 2}])`

/** The whole flush: the disk's own, the delay, and strace. */
async function probeFlush(delayMs: number, folder: string): Promise<number> {
  const command = [...delayingSyncs(delayMs), process.execPath, '-e', PROBE]
  return Number(await Bun.spawn(command, { cwd: folder }).stdout.text())
}

/** Creates a second against flushes, callers and instances: each run several times in turn, and of each the median. */
export async function measureCreates(rounds: number): Promise<Point[]> {
  const found = RUNS.map((): Point[] => [])
  for (let round = 1; round <= rounds; round++)
    for (const [index, { engine, run, isCalibration }] of RUNS.entries()) {
      const point = await measureOne(engine, run, isCalibration)
      found[index]?.push(point)
      const { instances, threads, callers, flushMs, perSecond } = point
      const what = `${engine} ${instances} × ${threads} threads, ${callers} callers, ${flushMs.toFixed(2)} ms`
      say(`${round}/${rounds}  ${what.padEnd(52)}${perSecond.toFixed(0).padStart(6)}/s`)
    }
  return found.flatMap(points => {
    const sorted = points.toSorted((a, b) => a.perSecond - b.perSecond)
    return sorted[Math.floor(sorted.length / 2)] ?? []
  })
}

/** Loads fresh instances with creates alone. */
async function measureOne(engine: Point['engine'], run: Run, isCalibration: boolean): Promise<Point> {
  const [delayMs, callers, instances = 1, threads = 1] = run
  const folder = mkdtempSync(join(tmpdir(), 'petstore-capacity-'))
  const server = engine === 'postgres' ? await PostgresServer.create({}, delayingSyncs(delayMs)) : undefined
  const running: Running[] = []
  try {
    const flushMs = await probeFlush(delayMs, folder)
    const databaseUrl = server ? await freshDatabaseUrl(server.url()) : `sqlite:${join(folder, 'animals.db')}`
    while (running.length < instances) {
      const place = { folder: mkdtempSync(join(folder, 'instance-')), databaseUrl }
      const contestant = { ...SERVICE, env: { PETSTORE_THREADS: String(threads) } }
      running.push(await start(contestant, place, { syncDelayMs: server ? 0 : delayMs }))
    }
    const planFile = join(folder, 'plan')
    const stock = { url: '', animals: 0, cursors: [] }
    await Bun.write(planFile, linesOf(await WORKLOADS.create.plan(stock)))
    const load = await loadAll(running, planFile, { connections: callers })
    if (load.failures > 0) throw new Error(`${load.failures} creates failed`)
    const { perSecond, serverCores } = load
    const cores = cpus().length
    return { engine, flushMs, callers, instances, threads, cores, perSecond, serverCores, isCalibration }
  } finally {
    await Promise.all(running.map(each => each.stop()))
    await server?.remove()
    rmSync(folder, { recursive: true, force: true })
  }
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { preflightOf } from '../tests/support/programs/preflight.ts'
import { program } from '../tests/support/programs/program.ts'
import { startService } from './harness/service.ts'
import { spread } from './harness/summary.ts'
import { animal, type PlannedRequest } from './harness/workloads.ts'
import { runWrk, writePlan } from './harness/wrk.ts'

/** Measures whether reads wait for the disk: every fsync takes 10 ms longer, and 64 connections create while 64 others list. */
const DELAY_US = 10_000
const ROUNDS = 3
const SECONDS = 3
const KEY = `bench_${crypto.randomUUID()}`
await preflightOf('npm run bench:slow-disk', 'strace', 'wrk')
const TRACER = [
  program('strace'),
  '-f',
  '--seccomp-bpf',
  '-qq',
  '-o',
  '/dev/null',
  '-e',
  'trace=fsync,fdatasync',
  '-e',
  `inject=fsync,fdatasync:delay_exit=${DELAY_US}`,
]

const folder = mkdtempSync(join(tmpdir(), 'petstore-slow-disk-'))
const service = await startService(`sqlite:${join(folder, 'bench.db')}`, join(folder, 'log'), KEY, TRACER)
try {
  const plan = async (name: string, requests: PlannedRequest[]): Promise<string> => {
    const file = join(folder, name)
    await writePlan(file, requests)
    return file
  }
  const create = await plan(
    'create',
    Array.from({ length: 1000 }, (_, number) => ({ method: 'POST', path: '/v1/pets', body: animal(number) })),
  )
  const list = await plan('list', [{ method: 'GET', path: '/v1/pets?limit=20' }])
  const load = (file: string) => runWrk(service.url, file, KEY, SECONDS)
  await load(create)
  await load(list)
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const alone = await load(list)
    const [beside, writes] = await Promise.all([load(list), load(create)])
    ratios.push(beside.p99Ms / alone.p99Ms)
    process.stdout.write(
      `round ${round + 1}: p99 of a list ${alone.p99Ms.toFixed(2)} ms alone, ${beside.p99Ms.toFixed(2)} ms beside ` +
        `${Math.round(writes.perSecond)} creations a second (their p50 ${writes.p50Ms.toFixed(1)} ms)\n`,
    )
  }
  process.stdout.write(
    `p99 of a list beside writes over alone: ${spread(ratios).median.toFixed(2)} (wanted: at most 3)\n`,
  )
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}

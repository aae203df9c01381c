import { expect } from 'bun:test'
import { needs } from '../../support/programs/needs.ts'
import { petstore } from '../../support/service/cli.ts'
import { engines } from '../../support/service/engines.ts'
import { startOnSlowStorage } from '../security/support/slow-storage.ts'
import { figure, measured } from './support/form.ts'
import { programBelow } from './support/proc.ts'
import { Writers } from './support/writers.ts'

const { test } = needs('strace')

const TIMES = figure(4, 25)
/** Enough to keep one batch following another. */
const WRITERS = 8
const DUE_MS = 5000
/** A busy machine may be slow in one round; writes that starve the commands make every round slow. */
const ROUNDS = figure(3, 1)

const cases = engines.flatMap(engine => [20, 200].map(commitMs => [engine.name, commitMs, engine] as const))

test.each(cases)(
  'under a flood of writes on %s with commits of %d ms, keys are made and revoked within 5 seconds',
  async (name, commitMs, engine) => {
    const service = await startOnSlowStorage(engine, commitMs)
    const { databaseUrl } = service.options
    const writers = new Writers(service.url, 'flood', WRITERS)
    const run = async (...command: string[]): Promise<number> => {
      const since = performance.now()
      const { code, stderr } = await petstore(['keys', ...command], { DATABASE_URL: databaseUrl })
      expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
      return performance.now() - since
    }
    const writes: number[] = []
    const starts: number[] = []
    let made = 0
    const round = async (): Promise<number> => {
      writes.length = 0
      starts.length = 0
      for (let time = 0; time < TIMES; time++) {
        starts.push(await run('list'))
        const key = `key ${made++}`
        writes.push(await run('create', '--name', key), await run('revoke', key, '--yes'))
      }
      // Subtracts the start of the program, which on a busy machine is not a wait for the lock.
      return Math.max(...writes) - Math.max(...starts)
    }
    let waited = await round()
    for (let rounds = 1; rounds < ROUNDS && waited >= DUE_MS; rounds++) waited = await round()
    await writers.stop()
    expect(writers.unexpected).toEqual([])
    expect(writers.acknowledged.size).toBeGreaterThan(0)
    // A command that never gets the lock fails.
    expect(waited).toBeLessThan(DUE_MS)
    measured(
      `keys during a flood on ${name}, commits of ${commitMs} ms`,
      `${writes.length} of ${writes.length} done, the slowest in ${Math.round(Math.max(...writes))} ms (a command that only reads: up to ${Math.round(Math.max(...starts))} ms); ${writers.acknowledged.size} animals added meanwhile`,
    )
    process.kill(programBelow(service.process.pid), 'SIGTERM')
    await service.exited()
  },
)

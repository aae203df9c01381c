import { expect, test } from 'bun:test'
import { startOnSlowStorage } from '../security/support/slow-storage.ts'
import { petstore } from '../support/cli.ts'
import { engines } from '../support/engines.ts'
import { figure, measured, TIMEOUT_MS } from './support/form.ts'
import { programBelow } from './support/proc.ts'
import { Writers } from './support/writers.ts'

const TIMES = figure(4, 25)
const WRITERS = 64
const DUE_MS = 5000

const cases = engines.flatMap(engine => [20, 200].map(commitMs => [engine.name, commitMs, engine] as const))

test.each(cases)(
  'under a flood of writes on %s with commits of %d ms, keys are made and revoked within 5 seconds',
  async (name, commitMs, engine) => {
    const service = await startOnSlowStorage(engine, commitMs)
    const { databaseUrl } = service.options
    const writers = new Writers(service.url, 'flood', WRITERS)
    const took: number[] = []
    for (let time = 0; time < TIMES; time++)
      for (const command of [
        ['create', '--name', `key ${time}`],
        ['revoke', `key ${time}`],
      ]) {
        const since = performance.now()
        const { code, stderr } = await petstore(['keys', ...command], { DATABASE_URL: databaseUrl })
        took.push(performance.now() - since)
        expect([code, code === 0 ? '' : stderr]).toEqual([0, ''])
      }
    await writers.stop()
    expect(writers.unexpected).toEqual([])
    expect(writers.acknowledged.size).toBeGreaterThan(0)
    expect(Math.max(...took)).toBeLessThan(DUE_MS)
    measured(
      `keys during a flood on ${name}, commits of ${commitMs} ms`,
      `${took.length} of ${took.length} commands done, the slowest after ${Math.round(Math.max(...took))} ms, the program's start included; ${writers.acknowledged.size} animals added meanwhile`,
    )
    process.kill(programBelow(service.process.pid), 'SIGTERM')
    await service.exited()
  },
  TIMEOUT_MS,
)

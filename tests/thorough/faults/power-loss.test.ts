import { expect } from 'bun:test'
import { join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'
import { program } from '../../support/programs/program.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { startProcess } from '../../support/service/service-process.ts'
import { figure, isFull, measured } from './support/form.ts'
import { programBelow } from './support/proc.ts'
import { acknowledgedTooEarly, overwrittenTooEarly } from './support/system-calls.ts'

const { test } = needs('strace')

const ANIMALS = figure(300, 10_000)
const CALLERS = 16
const TRACED = 'fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg'
/** Long enough for a whole page of the database. */
const LONGEST = '4200'
/** Makes the log of a full attack restart. */
const PADDING = 'x'.repeat(230)

/** Traces a service that adds animals for many callers at once; `within` is a prefix of its command line. */
async function traceOf(animals: number, within: readonly string[]): Promise<string[]> {
  const folder = await freshFolder()
  const trace = join(folder, 'trace')
  const service = await startProcess({
    databaseUrl: `sqlite:${join(folder, 'animals.db')}`,
    within: [
      program('strace'),
      '-f',
      '-qq',
      '-y',
      '--seccomp-bpf',
      '-s',
      LONGEST,
      '-o',
      trace,
      '-e',
      `trace=${TRACED}`,
      ...within,
    ],
  })
  let next = 0
  const call = async (): Promise<void> => {
    while (next < animals) {
      // The dot ends the name; otherwise animal-1 would match in animal-10.
      const { status } = await service.post(`{"name":"animal-${next++}.${PADDING}","categoryId":1}`)
      expect(status).toBe(201)
    }
  }
  await Promise.all(Array.from({ length: CALLERS }, call))
  process.kill(programBelow(service.process.pid), 'SIGTERM')
  expect(await service.exited()).toBe(0)
  return (await Bun.file(trace).text()).split('\n')
}

test(`every one of ${ANIMALS} acknowledgements is sent after the sync of the log that holds its animal, which is kept until it is copied`, async () => {
  const trace = await traceOf(ANIMALS, [])
  const { acknowledged, early } = acknowledgedTooEarly(trace)
  expect(new Set(acknowledged).size).toBe(ANIMALS)
  expect(early).toEqual([])
  const log = overwrittenTooEarly(trace)
  expect(log.early).toBe(0)
  if (isFull) expect(log.begunAnew).toBeGreaterThan(1)
  measured(
    'power loss: 201 only after the sync',
    `${ANIMALS - early.length} of ${ANIMALS} sent after their sync; the log begun ${log.begunAnew} times, ${log.early} of them before what was copied from it was synced`,
  )
})

needs('eatmydata').test(
  'the control: without syncs (eatmydata) the same attack finds what came too early',
  async () => {
    const animals = figure(100, 10_000)
    const trace = await traceOf(animals, [program('eatmydata')])
    const { acknowledged, early } = acknowledgedTooEarly(trace)
    expect(new Set(acknowledged).size).toBe(animals)
    expect(early).toHaveLength(animals)
    if (isFull) expect(overwrittenTooEarly(trace).early).toBeGreaterThan(0)
    measured(
      'power loss: the control under eatmydata fails',
      `${early.length} of ${animals} sent before any sync`,
    )
  },
)

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { petJson, SlowRequest } from '../../support/http.ts'
import { childrenOf, eventually, freshSqliteUrl, isAlive } from '../../support/process.ts'
import { type ServiceProcess, scrape, startProcess } from '../../support/service.ts'

const PROCESSES = 3
/** So many that each process has one. */
const HELD = 12
/** Opens a new connection, which the system assigns to any of the processes. */
const ALONE = { Connection: 'close' }

const processesOf = ({ process }: ServiceProcess): number[] => childrenOf(process.pid)
const eventsOf = ({ output }: ServiceProcess, wanted: string) =>
  output.log.filter(({ event }) => event === wanted)
const start = async (processes: number): Promise<ServiceProcess> =>
  startProcess({
    databaseUrl: await freshSqliteUrl(),
    variables: {
      PETSTORE_PROCESSES: String(processes),
      PETSTORE_METRICS_PORT: '0',
      // The test runner sets it, which would make the runtime end every program that outlives its parent.
      BUN_FEATURE_FLAG_NO_ORPHANS: '0',
    },
  })
const hold = (service: ServiceProcess): Promise<SlowRequest[]> =>
  Promise.all(Array.from({ length: HELD }, (_, n) => SlowRequest.begin(service, `held ${n}`)))

describe(`${PROCESSES} processes on one port`, () => {
  let service: ServiceProcess
  beforeAll(async () => {
    service = await start(PROCESSES)
  })
  afterAll(() => service.discard())

  test('are announced once, and each serves its own metrics', async () => {
    expect(eventsOf(service, 'listening')).toMatchObject([{ processes: PROCESSES }])
    for (let n = 0; n < 20; n++) await service.fetch('/v1/pets', { headers: ALONE })
    const urls = eventsOf(service, 'metrics-listening').map(({ url }) => String(url))
    const pages = await Promise.all(urls.map(scrape))
    const answered = pages.map(
      page => page.get('petstore_requests_total{operation="listPets",status="200"}') ?? 0,
    )
    expect([new Set(urls).size, answered.reduce((sum, count) => sum + count)]).toEqual([PROCESSES, 20])
  })

  test('show every animal at once, whichever of them it was added through', async () => {
    for (let n = 0; n < 40; n++) {
      const { pet } = await service.post(petJson({ name: `seen ${n}` }), ALONE)
      const list = () => service.fetch('/v1/pets?limit=100', { headers: ALONE })
      const answers = await Promise.all(Array.from({ length: PROCESSES * 2 }, list))
      for (const { pets } of answers) expect(pets.at(-1)).toEqual(pet)
    }
  })

  test('are replaced when they are killed', async () => {
    for (const pid of processesOf(service)) {
      process.kill(pid, 'SIGKILL')
      await eventually('another takes its place', () => {
        const now = processesOf(service)
        return (now.length === PROCESSES && !now.includes(pid)) || undefined
      })
    }
    const areServing = () => eventsOf(service, 'metrics-listening').length === 2 * PROCESSES || undefined
    await eventually('all serve again', areServing)
  })

  test('drain together, answer what is under way, and write whole lines into one log', async () => {
    const held = await hold(service)
    const pids = processesOf(service)
    service.signal('SIGTERM')
    await service.output.entry(({ event }) => event === 'draining')
    const answers = await Promise.all(held.map(request => request.finish()))
    expect(answers.map(({ status }) => status)).toEqual(Array(HELD).fill(201))
    expect(await service.exited()).toBe(0)
    const unanswered = eventsOf(service, 'stopped').map(stopped => stopped.unanswered)
    expect(unanswered).toEqual(Array(PROCESSES).fill(0))
    expect(pids.some(isAlive)).toBe(false)
    for (const line of service.output.lines) expect(() => JSON.parse(line)).not.toThrow()
    expect(service.errors.text).toBe('')
  })
})

test('when the process that started them is killed, the others drain, end and free the port', async () => {
  const service = await start(2)
  const pids = processesOf(service)
  const slow = await SlowRequest.begin(service, 'in flight')
  await service.kill()
  await eventually('they drain', () => eventsOf(service, 'draining').length === 2 || undefined)
  expect((await slow.finish()).status).toBe(201)
  await eventually('they are gone', () => !pids.some(isAlive) || undefined)
  expect(eventsOf(service, 'stopped')).toMatchObject([{ unanswered: 0 }, { unanswered: 0 }])
})

test('a stop that has to kill a process says so by its exit code', async () => {
  const service = await start(2)
  process.kill(processesOf(service)[0] as number, 'SIGSTOP')
  expect(await service.stop()).toBe(1)
  expect(service.errors.text).toBe(
    'petstore: Not all processes ended by themselves (SIGKILL). Nothing is lost.\n',
  )
})

test('a second Ctrl-C ends all processes at once', async () => {
  const service = await start(2)
  const pids = processesOf(service)
  await hold(service)
  service.signal('SIGINT')
  await service.output.entry(({ event }) => event === 'draining')
  // One within the first second is taken for the same key press.
  const code = await eventually('it ends', () => {
    service.signal('SIGINT')
    return service.process.exitCode ?? undefined
  })
  expect(code).toBe(1)
  await eventually('they are gone', () => !pids.some(isAlive) || undefined)
})

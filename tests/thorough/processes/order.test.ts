import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { SlowRequest } from '../../support/http/slow-request.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { environmentWith, eventually, type Variables } from '../../support/service/process.ts'
import { childrenOf } from '../../support/service/processes.ts'
import { type ProcessOptions, ServiceProcess, startProcess } from '../../support/service/service-process.ts'

const PROCESSES = 2
/** So many that each process has one. */
const REQUESTS = 12
const LISTEN = '0A'

const options = async (variables: Variables = {}): Promise<ProcessOptions> => ({
  databaseUrl: await freshSqliteUrl(),
  variables: { PETSTORE_PROCESSES: String(PROCESSES), ...variables },
})
const start = async (): Promise<ServiceProcess> => startProcess(await options())
const processesOf = ({ process }: ServiceProcess): number[] => childrenOf(process.pid)
const countOf = ({ output }: ServiceProcess, wanted: string): number =>
  output.log.filter(({ event }) => event === wanted).length

/** Requests that keep every process from ending until they are finished. */
const hold = (service: ServiceProcess): Promise<SlowRequest[]> =>
  Promise.all(Array.from({ length: REQUESTS }, (_, n) => SlowRequest.begin(service, `held ${n}`)))

/** The sockets on which its processes listen, from /proc/net/tcp: the local address, the state and the inode of each socket. */
function listenersOf({ url }: ServiceProcess): string[] {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
  const sockets = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map(line => line.trim().split(/\s+/))
  return sockets
    .filter(([, local, , state]) => local?.endsWith(`:${port}`) && state === LISTEN)
    .map(fields => String(fields[9]))
}

/** Resolves when a successor serves, while the process it replaces still has requests to answer. */
async function beginReload(service: ServiceProcess): Promise<void> {
  const before = listenersOf(service)
  expect(before).toHaveLength(PROCESSES)
  service.signal('SIGHUP')
  await eventually(
    'a process leaves',
    () => before.some(socket => !listenersOf(service).includes(socket)) || undefined,
  )
}

async function statusesOf(held: readonly SlowRequest[]): Promise<number[]> {
  const answers = await Promise.all(held.map(request => request.finish()))
  return answers.map(({ status }) => status)
}

test('a SIGHUP that arrives during a reload is followed by another reload', async () => {
  const service = await start()
  const held = await hold(service)
  await beginReload(service)
  service.signal('SIGHUP')
  expect(await statusesOf(held)).toEqual(Array(REQUESTS).fill(201))
  await eventually('both reloads are done', () => countOf(service, 'reloaded') === 2 || undefined)
  expect(await service.stop()).toBe(0)
})

test('a stop during a reload answers what is in flight and starts no further process', async () => {
  const service = await start()
  const held = await hold(service)
  await beginReload(service)
  service.signal('SIGTERM')
  await service.output.entry(({ event }) => event === 'draining')
  const known = processesOf(service)
  const later = new Set<number>()
  const watching = setInterval(() => {
    for (const pid of processesOf(service)) if (!known.includes(pid)) later.add(pid)
  }, 5)
  expect(await statusesOf(held)).toEqual(Array(REQUESTS).fill(201))
  expect(await service.exited()).toBe(0)
  clearInterval(watching)
  expect([...later]).toEqual([])
  expect(countOf(service, 'reloaded')).toBe(0)
})

test('a stop that has to kill a process says so by its exit code', async () => {
  const service = await start()
  process.kill(processesOf(service)[0] as number, 'SIGSTOP')
  expect(await service.stop()).toBe(1)
  // The last resort, 0.4 s later, can come first on a busy machine.
  const said = countOf(service, 'stopped-by-force') === 1 ? 'stopped-by-force' : service.errors.lines.at(-1)
  expect(said).toBeOneOf([
    'stopped-by-force',
    'petstore: Not all processes ended by themselves (SIGKILL). Nothing is lost.',
  ])
})

test('a SIGHUP that arrives while the processes start is followed by a reload', async () => {
  const service = new ServiceProcess(await options())
  await eventually('a process starts', () => processesOf(service).length > 0 || undefined)
  service.signal('SIGHUP')
  await service.output.entry(({ event }) => event === 'reloaded')
  expect(await service.stop()).toBe(0)
})

test('a start that fails because a process was killed names that process and leaves nothing behind', async () => {
  const folder = await freshFolder()
  const TMPDIR = await freshFolder()
  const killed = join(folder, 'killed.ts')
  await Bun.write(killed, `if (process.argv.includes('--instance')) process.kill(process.pid, 'SIGKILL')`)
  const main = join(import.meta.dir, '../../../src/main.ts')
  const started = Bun.spawn([process.execPath, '--preload', killed, main, 'serve'], {
    env: environmentWith({
      DATABASE_URL: await freshSqliteUrl(),
      PORT: '0',
      PETSTORE_PROCESSES: String(PROCESSES),
      TMPDIR,
    }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  expect(await started.stderr.text()).toMatch(
    /^petstore: Not all processes could start: process \d+ ended while it was starting \(SIGKILL\)\./,
  )
  expect([await started.exited, readdirSync(TMPDIR)]).toEqual([1, []])
})

test('a second Ctrl-C ends the processes at once and leaves no folder behind', async () => {
  const TMPDIR = await freshFolder()
  const service = await startProcess(await options({ TMPDIR }))
  await hold(service)
  service.signal('SIGINT')
  await service.output.entry(({ event }) => event === 'draining')
  // One within the first second is taken for the same key press.
  const code = await eventually('it ends', () => {
    service.signal('SIGINT')
    return service.process.exitCode ?? undefined
  })
  expect(code).toBe(1)
  expect(readdirSync(TMPDIR)).toEqual([])
})

import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { RawConnection } from '../../support/http/raw-http.ts'
import { SlowRequest } from '../../support/http/slow-request.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { Output } from '../../support/service/log.ts'
import { commandLine, eventually } from '../../support/service/process.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { Shell } from '../../support/terminal/shell.ts'
import { programBelow } from '../faults/support/proc.ts'

const WITHIN_MS = 10_000
/** How long the service waits for a request that never ends. */
const FINISH_MS = 7500
const START_MS = 30_000

const freshService = async (): Promise<ServiceProcess> =>
  startProcess({ databaseUrl: await freshSqliteUrl() })

/** The exit code, and the time since the signal. */
async function ending(service: ServiceProcess, since: number): Promise<{ code: number; took: number }> {
  const code = await service.exited()
  return { code, took: performance.now() - since }
}

describe.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('at %s', signal => {
  test('the service is not ready at once, answers what is in flight, and ends with 0', async () => {
    const service = await freshService()
    const slow = await SlowRequest.begin(service, 'in flight')
    const since = performance.now()
    service.signal(signal)
    const notReady = await eventually('not ready', async () => {
      const answer = await service.fetch('/readyz')
      return answer.status === 503 ? answer : undefined
    })
    expect(notReady.failure).toBe('503 unavailable')
    expect(notReady.headers.get('connection')).toBe('close')
    expect((await service.fetch('/v1/pets')).status).toBe(200)
    await eventually('new connections are refused', () =>
      service.fetch('/livez').then(
        () => undefined,
        () => true,
      ),
    )
    expect((await slow.finish()).status).toBe(201)
    const { code, took } = await ending(service, since)
    expect(code).toBe(0)
    expect(took).toBeLessThan(WITHIN_MS)
    expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unanswered: 0 })

    const again = await service.restart()
    expect((await again.fetch('/v1/pets')).pets.map(({ name }) => name)).toEqual(['in flight'])
    await again.stop()
  })
})

test('a request that never ends does not keep the process beyond 10 seconds', async () => {
  const service = await freshService()
  await SlowRequest.begin(service, 'never ends')
  const since = performance.now()
  service.signal('SIGTERM')
  const { code, took } = await ending(service, since)
  expect(code).toBe(0)
  expect(took).toBeLessThan(WITHIN_MS)
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unanswered: 1 })
})

test('idle connections do not keep the process', async () => {
  const service = await freshService()
  const connection = new RawConnection(service.url)
  connection.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
  expect((await connection.read()).status).toBe(200)
  const since = performance.now()
  service.signal('SIGTERM')
  const { code, took } = await ending(service, since)
  expect(code).toBe(0)
  expect(took).toBeLessThan(5000)
})

test('a second signal ends the process without waiting, if it comes later than one that npm passes on', async () => {
  const service = await freshService()
  await SlowRequest.begin(service, 'never ends')
  const since = performance.now()
  service.signal('SIGINT')
  await service.output.entry(({ event }) => event === 'draining')
  const repeating = setInterval(() => service.signal('SIGINT'), 20)
  const { code, took } = await ending(service, since)
  clearInterval(repeating)
  expect(code).toBe(1)
  expect(took).toBeWithin(1000, FINISH_MS)
})

// A new PID namespace needs its own /proc.
needs('mounting').test('SIGTERM ends process 1 of a container too', async () => {
  const within = ['unshare', '--pid', '--fork', '--mount-proc']
  const service = await startProcess({ databaseUrl: await freshSqliteUrl(), within })
  const { pid } = service.process
  const child = Number((await Bun.file(`/proc/${pid}/task/${pid}/children`).text()).trim())
  expect(await Bun.file(`/proc/${child}/status`).text()).toMatch(/^NSpid:\s+\d+\s+1$/m)
  process.kill(child, 'SIGTERM')
  expect(await service.exited()).toBe(0)
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped' })
})

describe('when its terminal is closed', () => {
  const isGone = (pid: number): true | undefined => (existsSync(`/proc/${pid}`) ? undefined : true)

  test('a service in the foreground drains and closes its database', async () => {
    const folder = await freshFolder()
    const shell = new Shell(folder, { PORT: '0' })
    shell.type(commandLine('serve').join(' '))
    await shell.shows(/listening url=(\S+)/, START_MS)
    const pid = programBelow(shell.pid)
    await shell.closeWindow()
    await eventually('it is gone', () => isGone(pid))
    expect(existsSync(join(folder, 'data/production.db-wal'))).toBe(false)
  })

  test('a service that nohup started continues, and SIGTERM still ends it in order', async () => {
    const folder = await freshFolder()
    const shell = new Shell(folder, { PORT: '0' })
    shell.type(`nohup ${commandLine('serve').join(' ')} > log 2>&1 &`)
    const log = new Output(join(folder, 'log'))
    const { url } = await eventually(
      'it listens',
      () => log.log.find(({ event }) => event === 'listening'),
      START_MS,
    )
    const pid = programBelow(shell.pid)
    await shell.closeWindow()
    process.kill(pid, 'SIGHUP')
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    process.kill(pid, 'SIGTERM')
    await eventually('it is gone', () => isGone(pid))
    expect(log.log.at(-1)).toMatchObject({ event: 'stopped', unanswered: 0 })
  })
})

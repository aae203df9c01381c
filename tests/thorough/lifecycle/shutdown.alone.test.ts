import { expect, test } from 'bun:test'
import { SlowRequest } from '../../support/http.ts'
import { Load } from '../../support/load.ts'
import { eventually, type Variables } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { storedPets } from '../faults/support/stored.ts'
import { programBelow } from '../faults/support/system.ts'

const WITHIN_MS = 10_000

const freshService = async (variables: Variables = {}): Promise<ServiceProcess> => startProcess({ variables })

/** The exit code, and the time since the signal. */
async function ending(service: ServiceProcess, since: number): Promise<{ code: number; took: number }> {
  const code = await service.exited()
  return { code, took: performance.now() - since }
}

test('SIGTERM under load: every accepted request is answered, what was added is stored, and the process ends with 0 within 10 seconds', async () => {
  const service = await freshService()
  const load = new Load(() => service.url, 200)
  await eventually('all are in use', () => load.acknowledged.size > 400 || undefined)
  const since = performance.now()
  service.signal('SIGTERM')
  const { code, took } = await ending(service, since)
  await load.stop()
  expect(code).toBe(0)
  expect(took).toBeLessThan(WITHIN_MS)
  const accepted = service.output.log.filter(({ event }) => event === 'request')
  expect(accepted.length).toBe(load.acknowledged.size + load.reads)
  expect(await storedPets(service.options.databaseUrl)).toHaveLength(load.acknowledged.size)
  expect(load.unexpected).toEqual([])
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unanswered: 0 })
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

// A new PID namespace needs its own /proc.
needs('mounting').test('SIGTERM ends process 1 of a container too', async () => {
  const within = ['unshare', '--pid', '--fork', '--mount-proc']
  const service = await startProcess({ within })
  const child = programBelow(service.process.pid)
  expect(await Bun.file(`/proc/${child}/status`).text()).toMatch(/^NSpid:\s+\d+\s+1$/m)
  process.kill(child, 'SIGTERM')
  expect(await service.exited()).toBe(0)
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped' })
})

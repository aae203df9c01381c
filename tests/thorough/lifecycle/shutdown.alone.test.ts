import { expect, test } from 'bun:test'
import { SlowRequest } from '../../support/http.ts'
import { Load } from '../../support/load.ts'
import { eventually } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { storedPets } from '../faults/support/stored.ts'
import { programBelow } from '../faults/support/system.ts'

test('SIGTERM under load: all accepted requests but one that never ends are answered, what was added is stored, and the process ends with 0 within 10 seconds', async () => {
  const service = await startProcess()
  const load = new Load(() => service.url, 200)
  await eventually('all are in use', () => load.acknowledged.size > 400 || undefined)
  await SlowRequest.begin(service, 'never ends')
  const since = performance.now()
  expect(await service.stop()).toBe(0)
  expect(performance.now() - since).toBeLessThan(10_000)
  await load.stop()
  const answered = service.output.log.filter(
    ({ event, status }) => event === 'request' && Number(status) < 300,
  )
  expect(answered.length).toBe(load.acknowledged.size + load.reads)
  expect(storedPets(service.options.databaseUrl)).toHaveLength(load.acknowledged.size)
  expect(load.unexpected).toEqual([])
  expect(service.output.log.at(-1)).toMatchObject({ event: 'stopped', unfinished: 1 })
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

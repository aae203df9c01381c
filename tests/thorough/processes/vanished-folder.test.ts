import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { childrenOf } from '../../support/service/processes.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'

const ALONE = { Connection: 'close' }

describe('when the folder of the socket is removed, two processes', () => {
  let service: ServiceProcess
  let folder: string

  /** All processes are killed and replaced, so that one of them must begin to write. */
  async function killAll(): Promise<void> {
    const old = childrenOf(service.process.pid)
    for (const pid of old) process.kill(pid, 'SIGKILL')
    await eventually('others serve', async () => {
      const all = childrenOf(service.process.pid)
      const answer = await fetch(`${service.url}/livez`, { headers: ALONE }).catch(() => undefined)
      return (all.length === 2 && !all.some(pid => old.includes(pid)) && answer?.ok) || undefined
    })
  }

  beforeAll(async () => {
    const TMPDIR = await freshFolder()
    service = await startProcess({
      databaseUrl: await freshSqliteUrl(),
      variables: { PETSTORE_PROCESSES: '2', TMPDIR },
    })
    folder = join(TMPDIR, readdirSync(TMPDIR)[0] as string)
  })
  afterAll(() => service.kill())

  test('make it again when another one begins to write', async () => {
    rmSync(folder, { recursive: true })
    expect((await service.post(petJson({}), ALONE)).status).toBe(201)
    await killAll()
    for (let n = 0; n < 10; n++) expect((await service.post(petJson({}), ALONE)).status).toBe(201)
    expect((await service.fetch('/readyz')).status).toBe(200)
  })

  test('are not ready and add nothing while others may write to one in its place, and recover without a restart', async () => {
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    chmodSync(folder, 0o777)
    await killAll()
    for (let n = 0; n < 10; n++) {
      expect((await service.post(petJson({}), ALONE)).failure).toBe('503 unavailable')
      expect((await service.fetch('/readyz', { headers: ALONE })).failure).toBe('503 unavailable')
    }
    rmSync(folder, { recursive: true })
    for (let n = 0; n < 10; n++) expect((await service.post(petJson({}), ALONE)).status).toBe(201)
    expect((await service.fetch('/readyz')).status).toBe(200)
  })

  test('are replaced on SIGHUP and stop in order', async () => {
    rmSync(folder, { recursive: true })
    service.signal('SIGHUP')
    await service.output.entry(({ event }) => event === 'reloaded')
    for (let n = 0; n < 10; n++) expect((await service.post(petJson({}), ALONE)).status).toBe(201)
    rmSync(folder, { recursive: true })
    expect(await service.stop()).toBe(0)
  })
})

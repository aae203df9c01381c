import { expect } from 'bun:test'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readlinkSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { childrenOf } from '../../support/service/processes.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'

// Only root may see which files a service has open.
const { afterAll, beforeAll, describe, test } = needs('root')

const PROCESSES = 3
const ANIMALS = 5
/** Enough new connections to reach every process. */
const CONNECTIONS = 20
const FILES = ['a.db', 'a.db-wal', 'a.db-shm']
/** Opens a new connection, which the system assigns to any of the processes. */
const ALONE = { Connection: 'close' }

const countOf = ({ output }: ServiceProcess, wanted: string): number =>
  output.log.filter(({ event }) => event === wanted).length

/** The process that writes for all holds a lock. */
const isWriter = (pid: number): boolean =>
  readdirSync(`/proc/${pid}/fd`).some(fd => {
    try {
      return /writer.*-lock$/.test(readlinkSync(`/proc/${pid}/fd/${fd}`))
    } catch {
      return false
    }
  })

describe('while the database file is not the one that was opened, several processes', () => {
  let service: ServiceProcess
  let folder: string
  let away: string
  let copy: string

  const move = (from: string, to: string): void => {
    for (const name of FILES) if (existsSync(join(from, name))) renameSync(join(from, name), join(to, name))
  }
  const times = <T>(work: () => Promise<T>): Promise<T[]> =>
    Promise.all(Array.from({ length: CONNECTIONS }, work))
  const lists = () =>
    times(async () => (await service.fetch('/v1/pets', { headers: ALONE })).pets.map(({ id }) => Number(id)))

  async function expectOutOfService(): Promise<void> {
    const added = await times(async () => (await service.post(petJson({}), ALONE)).failure)
    expect(new Set(added)).toEqual(new Set(['503 unavailable']))
    const ready = await times(async () => (await service.fetch('/readyz', { headers: ALONE })).failure)
    expect(new Set(ready)).toEqual(new Set(['503 unavailable']))
  }

  /** Resolves when a process that was started in its place has been refused too. */
  async function killWriter(): Promise<void> {
    const writer = await eventually('a process writes', () => childrenOf(service.process.pid).find(isWriter))
    const before = countOf(service, 'process-ended')
    process.kill(writer, 'SIGKILL')
    await eventually('another is refused', () => countOf(service, 'process-ended') >= before + 2 || undefined)
  }

  beforeAll(async () => {
    folder = await freshFolder()
    away = join(folder, 'away')
    copy = join(folder, 'copy')
    for (const path of [away, copy]) mkdirSync(path)
    service = await startProcess({
      databaseUrl: `sqlite:${join(folder, 'a.db')}`,
      variables: { PETSTORE_PROCESSES: String(PROCESSES) },
    })
    for (let n = 0; n < ANIMALS; n++) expect((await service.post(petJson({}))).status).toBe(201)
  })
  afterAll(async () => {
    expect(await service.stop()).toBe(0)
  })

  test('add nothing and create no other file, even after the one that writes was killed and after a reload', async () => {
    move(folder, away)
    await expectOutOfService()
    await killWriter()
    await expectOutOfService()
    service.signal('SIGHUP')
    await service.output.entry(
      ({ event, task }) => event === 'background-task-failed' && task === 'reloading',
    )
    await expectOutOfService()
    expect(existsSync(join(folder, 'a.db'))).toBe(false)
  })

  test('add nothing to a copy in its place, even when another one must begin to write', async () => {
    for (const name of ['a.db', 'a.db-wal']) copyFileSync(join(away, name), join(folder, name))
    await expectOutOfService()
    service.signal('SIGHUP')
    await eventually('it fails', () => countOf(service, 'background-task-failed') >= 2 || undefined)
    await expectOutOfService()
  })

  test('continue where they were once it is back', async () => {
    move(folder, copy)
    move(away, folder)
    const { pet } = await eventually('an animal is added', async () => {
      const answer = await service.post(petJson({}), ALONE)
      return answer.status === 201 ? answer : undefined
    })
    expect(Number(pet.id)).toBe(ANIMALS + 1)
    await eventually('all serve', async () => {
      const { processes } = (await (await fetch(`${service.url}/readyz`)).json()) as {
        processes?: { serving: number }
      }
      return processes?.serving === PROCESSES || undefined
    })
    expect(new Set((await lists()).map(String))).toEqual(new Set(['1,2,3,4,5,6']))
  })
})

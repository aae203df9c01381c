import { expect } from 'bun:test'
import { join } from 'node:path'
import { eventually, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { Caller, SmallDisk } from './support/disk.ts'

const { afterEach, beforeEach, test } = needs('mounting', 'mount')

const LONG_NAME = 'x'.repeat(200)

let disk: SmallDisk
beforeEach(async () => {
  disk = await SmallDisk.create()
})
afterEach(() => disk.remove())

/** Adds until the disk is full. */
async function addUntilRefused(caller: Caller, label: string): Promise<void> {
  let n = 0
  while ((await caller.add(`${label}/${n++} ${LONG_NAME}`)) === 201) expect(n).toBeLessThan(10_000)
}

test('on a disk that fills up, writes are refused, reads go on, nothing acknowledged is lost, writes work again within 5 seconds of space, and the service ends well', async () => {
  const service = await startProcess({ databaseUrl: disk.databaseUrl })
  const caller = new Caller(service)
  await caller.add('the first')
  for (let time = 0; time < 2; time++) {
    disk.fill(100_000)
    await addUntilRefused(caller, `${time}`)
    for (let more = 0; more < 20; more++) await caller.add(`${time}/full ${more} ${LONG_NAME}`)
    await caller.expectNothingElse()
    expect(await service.fetch('/livez')).toHaveStatus(200)
    expect(await service.fetch('/readyz')).toHaveStatus(503)
    disk.makeRoom()
    await eventually('ready again', async () => (await service.fetch('/readyz')).status === 200 || undefined)
    await caller.untilAdded(`${time}/room`)
    await caller.expectNothingElse()
  }
  disk.fill(0)
  await addUntilRefused(caller, 'full')
  expect(await service.stop()).toBe(0)
  disk.makeRoom()
  const again = await service.restart()
  await caller.expectNothingElse(again)
  await again.kill()
})

test('a start on a full disk says that it may be full, and so does doctor; the check fails too, also before the first start', async () => {
  const service = await startProcess({ databaseUrl: disk.databaseUrl })
  expect(await service.stop()).toBe(0)
  disk.fill(0)
  const run = (command: string, ...args: string[]) =>
    petstore([command, '--port', '0', ...args], { DATABASE_URL: disk.databaseUrl })
  const another = `sqlite:${join(disk.folder, 'new', 'another.db')}`
  for (const args of [[], ['--database-url', another]])
    expect(await run('serve', '--check', ...args)).toMatchObject({ code: 1, stdout: '' })
  const { code, stderr } = await run('serve')
  expect(code).toBe(1)
  expect(stderr).toMatch(/^petstore: The database \S+ cannot be opened: [^.;]+; the disk may be full\.\n$/)
  expect((await run('doctor')).stdout).toContain('the disk may be full.')
})

test.each(['', 'animals.db', 'animals.db-wal', 'animals.db-shm'])(
  'a database that may only be read (%p) stops the start in a sentence, which the check and doctor say too',
  async file => {
    const service = await startProcess({ databaseUrl: disk.databaseUrl })
    await new Caller(service).add('the first')
    // Killed, so that its write-ahead log stays.
    await service.kill()
    disk.makeReadOnly(file)
    const run = (...args: string[]) => petstore([...args, '--port', '0'], { DATABASE_URL: disk.databaseUrl })
    const [served, checked, doctor] = [await run('serve'), await run('serve', '--check'), await run('doctor')]
    expect(served).toMatchObject({ code: 1, stdout: '' })
    const named = join(disk.folder, file || 'animals.db')
    expect(served.stderr).toBe(`petstore: The database file ${named} cannot be written (EROFS).\n`)
    expect(checked).toEqual(served)
    expect(doctor.stdout).toContain(served.stderr.slice('petstore: '.length, -1))
  },
)

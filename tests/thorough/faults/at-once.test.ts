import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { petstore, type Ran } from '../../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { commandLine, environmentWith, eventually } from '../../support/service/process.ts'
import { makeStore } from '../../support/service/stored-pets.ts'
import { animalsInWhole } from '../../support/service/whole-database.ts'
import { figure, measured } from './support/form.ts'
import { fill, pathOf } from './support/stored.ts'

const ANIMALS = 100_000

/** A database with this many animals that no service has open. */
async function storeOf(animals: number): Promise<string> {
  const databaseUrl = await freshSqliteUrl()
  await makeStore(databaseUrl, [])
  fill(pathOf(databaseUrl), animals)
  return databaseUrl
}

const isDone = ({ code }: Ran): boolean => code === 0

test('of many backups to one file at once, each is complete or refused in a sentence, and the file is a whole backup at any time', async () => {
  const databaseUrl = await storeOf(ANIMALS)
  const file = join(await freshFolder(), 'b.db')
  const backUp = (...flags: string[]) => petstore(['backup', file, ...flags], { DATABASE_URL: databaseUrl })
  const many = figure(8, 40)
  for (const flags of [[], ['--force']]) {
    const runs = await Promise.all(Array.from({ length: many }, () => backUp(...flags)))
    for (const { code, stdout, stderr } of runs)
      if (code === 0)
        expect(stdout).toMatch(/^Backed up 100,000 animals .*\([1-9]\d*\.\d MiB, .*, verified\)\.\n$/)
      else expect(`${code} ${stdout}${stderr}`).toMatch(/^2 (?:.*\n)?petstore: .* already exists\..*\n$/)
    const done = runs.filter(isDone).length
    expect(done).toBeGreaterThanOrEqual(1)
    if (flags.length === 0) expect(done).toBe(1)
    expect(animalsInWhole(file)).toBe(ANIMALS)
    expect(readdirSync(dirname(file))).toEqual(['b.db'])
    measured(`${many} backups to one file at once`, `${done} done, the others refused; 0 wrong reports`)
  }
})

test('of two restores into one place at once, what is reported is what is there', async () => {
  const sizes = [10, 20]
  const files = await Promise.all(
    sizes.map(async size => {
      const file = join(await freshFolder(), `${size}.db`)
      expect((await petstore(['backup', file], { DATABASE_URL: await storeOf(size) })).code).toBe(0)
      return file
    }),
  )
  const outcomes = { one: 0, both: 0 }
  for (let time = 0; time < figure(3, 20); time++) {
    const databaseUrl = await storeOf(30)
    const runs = await Promise.all(
      files.map(file => petstore(['restore', file, '--force'], { DATABASE_URL: databaseUrl })),
    )
    const done = sizes.filter((_, index) => isDone(runs[index] as Ran))
    for (const [index, { code, stdout, stderr }] of runs.entries())
      if (code === 0) expect(stdout).toContain(`Restored ${sizes[index]} animals `)
      else expect(stderr).toMatch(/petstore: .* open\. Stop it first\.\n$/)
    expect(done.length).toBeGreaterThanOrEqual(1)
    const folder = dirname(pathOf(databaseUrl))
    const kept = readdirSync(folder).filter(name => name.includes('.replaced-'))
    const found = [pathOf(databaseUrl), ...kept.map(name => join(folder, name))].map(animalsInWhole)
    // The first restore kept the old database, and a second one kept what the first had restored.
    expect(found.toSorted()).toEqual([...done, 30])
    expect(done).toContain(found[0] as number)
    outcomes[done.length === 1 ? 'one' : 'both']++
  }
  measured(
    'two restores at once',
    `one done ${outcomes.one} times, one after the other ${outcomes.both} times; 0 wrong reports`,
  )
})

test('a backup that is killed blocks nothing, and the next one removes what it left', async () => {
  const databaseUrl = await storeOf(ANIMALS)
  const folder = await freshFolder()
  const file = join(folder, 'b.db')
  const killed = Bun.spawn(commandLine('backup', file), {
    env: environmentWith({ DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  await eventually(
    'the copy has begun',
    () => readdirSync(folder).some(name => name.includes('-draft-')) || undefined,
  )
  killed.kill('SIGKILL')
  await killed.exited
  expect(readdirSync(folder)).not.toContain('b.db')
  expect(readdirSync(folder).length).toBeGreaterThan(0)
  expect((await petstore(['backup', file], { DATABASE_URL: databaseUrl })).code).toBe(0)
  expect(readdirSync(folder)).toEqual(['b.db'])
})

test('six processes that open a new database at once all succeed', async () => {
  const rounds = figure(3, 100)
  const failed: string[] = []
  for (let round = 0; round < rounds; round++) {
    const databaseUrl = await freshSqliteUrl()
    const runs = await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        petstore(['keys', 'create', '--create', '--name', `key ${n}`], { DATABASE_URL: databaseUrl }),
      ),
    )
    failed.push(...runs.filter(run => !isDone(run)).map(({ stderr }) => stderr))
    const { stdout } = await petstore(['keys', 'list'], { DATABASE_URL: databaseUrl })
    expect(stdout.match(/key \d/g)?.length).toBe(6)
  }
  expect(failed).toEqual([])
  measured('first opens at once', `${rounds} rounds of six: ${rounds * 6} opened, 0 failed`)
})

test('a database that another process holds for a moment while it makes it is waited for', async () => {
  const databaseUrl = await freshSqliteUrl()
  const other = new Database(pathOf(databaseUrl), { create: true })
  other.run('CREATE TABLE placeholder (x)')
  other.run('DROP TABLE placeholder')
  other.run('BEGIN EXCLUSIVE')
  const opening = Bun.spawn(commandLine('keys', 'create', '--create', '--name', 'x'), {
    env: environmentWith({ DATABASE_URL: databaseUrl }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  await eventually('it has the database open, or ended', () =>
    opening.exitCode !== null || hasOpen(opening.pid, pathOf(databaseUrl)) ? true : undefined,
  )
  // A process that does not wait for the lock exits at once. One that waits sleeps and polls.
  const before = sleepsOf(opening.pid)
  await eventually('it has waited, or ended', () =>
    opening.exitCode !== null || sleepsOf(opening.pid) >= before + 10 ? true : undefined,
  )
  other.run('COMMIT')
  other.close()
  const errors = await opening.stderr.text()
  expect(`${await opening.exited} ${errors}`).toStartWith('0 ')
})

/** How often the main thread yielded its core to wait. */
const sleepsOf = (pid: number): number =>
  Number(/^voluntary_ctxt_switches:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])

function hasOpen(pid: number, path: string): boolean {
  const folder = `/proc/${pid}/fd`
  try {
    return readdirSync(folder).some(name => readlinkSync(join(folder, name)) === path)
  } catch {
    // A descriptor was closed, or the process ended, in between.
    return false
  }
}

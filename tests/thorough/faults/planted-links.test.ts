import { expect } from 'bun:test'
import { chmodSync, chownSync, linkSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'
import { petstore, type Ran } from '../../support/service/cli.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { figure, measured } from './support/form.ts'

const NOBODY = 65534
const PLANTER = join(import.meta.dir, 'support/link-planter.ts')
const { test } = needs('root')

/** A store in a folder of another user, and a folder of root with files that links could lead root's commands to. */
async function storeOfAnother() {
  const folder = await freshFolder()
  // Lets the other user reach the folder.
  if (tmpdir() !== '/tmp') chmodSync(tmpdir(), 0o711)
  chownSync(folder, NOBODY, NOBODY)
  const data = join(folder, 'data')
  const run = (...args: string[]) => petstore(args, { DATABASE_URL: `sqlite:${join(data, 'production.db')}` })
  expect((await run('keys', 'create', '--create', '--name', 'first')).code).toBe(0)
  const victim = await freshFolder()
  chmodSync(victim, 0o755)
  await writeFile(join(victim, 'secret'), 'of root', { mode: 0o600 })
  for (const file of ['production.db', 'b.db', 'all.csv'])
    expect((await run('backup', join(victim, file))).code).toBe(0)
  return { folder, data, victim, run }
}

/** The contents of root's folder: names, owners, permissions and bytes. */
const stateOf = (folder: string): string[] =>
  readdirSync(folder)
    .toSorted()
    .map(name => {
      const { uid, mode, nlink } = lstatSync(join(folder, name))
      const bytes = new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, name))).digest('hex')
      return `${name} ${uid} ${(mode & 0o7777).toString(8)} ${nlink} ${bytes}`
    })

const commandsIn = (data: string) => ({
  backup: ['backup', join(data, 'b.db'), '--force'],
  restore: ['restore', join(data, 'b.db'), '--force'],
  export: ['pets', 'export', join(data, 'all.csv'), '--force'],
  keys: ['keys', 'create', '--name', 'another'],
})

type Command = keyof ReturnType<typeof commandsIn>

/** The command was not killed: it succeeded, or says why not in one sentence. */
function expectEnded(args: readonly string[], { code, stderr }: Ran): void {
  if (code !== 0) expect(`${args[0]} ${code} ${stderr}`).toMatch(/^\w+ [1-9] petstore: [^\n]+\n$/)
}

test('links that the account of a service plants while root works in its folder lead root nowhere', async () => {
  const { folder, data, victim, run } = await storeOfAnother()
  const before = stateOf(victim)
  const planter = Bun.spawn([process.execPath, PLANTER, folder, victim], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let planted = 0
  const reading = (async () => {
    for await (const piece of planter.stdout)
      planted = Number(new TextDecoder().decode(piece).trim().split('\n').at(-1)) || planted
  })()
  await eventually('the first links', () => planted > 5 || undefined)
  let done = 0
  let times = 0
  for (; times < figure(3, 40); times++)
    for (const args of Object.values(commandsIn(data))) {
      const ran = await run(...args)
      expectEnded(args, ran)
      if (ran.code === 0) done++
      expect(stateOf(victim)).toEqual(before)
    }
  planter.kill()
  await reading
  measured(
    'root follows no planted link',
    `${times * 4} commands of root (${done} done, the others refused) among ${planted} planted links: 0 files of root touched`,
  )
})

test.each<[name: string, ...commands: Command[]]>([
  ['production.db-wal', 'keys', 'restore'],
  ['production.db-shm', 'keys', 'backup'],
  ['production.db-journal', 'keys', 'export'],
  ['production.db-lock', 'keys', 'restore'],
  ['b.db-lock', 'backup'],
])('a second name of a file of root, %s, is not written to and not given away', async (name, ...commands) => {
  const { data, victim, run } = await storeOfAnother()
  await run('backup', join(data, 'b.db'))
  rmSync(join(data, name), { force: true })
  linkSync(join(victim, 'secret'), join(data, name))
  const before = stateOf(victim)
  for (const command of commands) {
    const args = commandsIn(data)[command]
    expectEnded(args, await run(...args))
    // SQLite may remove the second name; the file remains.
    expect(stateOf(victim).map(withoutLinks)).toEqual(before.map(withoutLinks))
  }
})

const withoutLinks = (line: string): string => line.replace(/ \d+ (?=\w{64}$)/, ' ')

test.each<[name: string, ...commands: Command[]]>([
  ['production.db-wal', 'keys', 'backup'],
  ['production.db-journal', 'keys', 'backup'],
  ['production.db-lock', 'keys', 'restore'],
  ['b.db', 'backup', 'restore'],
  ['b.db-lock', 'backup'],
  ['all.csv', 'export'],
])('a pipe under the name %s is not waited for', async (name, ...commands) => {
  const { data, run } = await storeOfAnother()
  await run('backup', join(data, 'b.db'))
  rmSync(join(data, name), { force: true })
  expect(Bun.spawnSync(['mkfifo', '-m', '666', join(data, name)]).exitCode).toBe(0)
  for (const command of commands) {
    const args = commandsIn(data)[command]
    const ran = await run(...args)
    expectEnded(args, ran)
    expect(ran.code).not.toBe(0)
  }
  rmSync(join(data, name))
  expect((await run('backup', join(data, 'after.db'))).stderr).toBe('')
})

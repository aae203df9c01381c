import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { scripts } from '../../package.json'

const ROOT = join(import.meta.dir, '../..')
/** The others are the service's own command and Biome's. */
const ours = Object.entries(scripts).filter(([, command]) => /^bun (scripts|bench)\//.test(command))
const TIMEOUT_MS = 30_000

async function ask(command: string, flag: string) {
  const words = [...command.split(' ').slice(1), flag]
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  const [out, complaints, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { out, complaints, code }
}

test.each(ours)(
  'npm run %s says how it is used, and refuses a flag that it does not know',
  async (_, command) => {
    const help = await ask(command, '--help')
    expect(help).toMatchObject({ code: 0, complaints: '' })
    expect(help.out).toStartWith('npm ')
    expect(await ask(command, '--nonsense')).toEqual({
      code: 2,
      complaints: '',
      out: `Unknown option '--nonsense'.\n\n${help.out}`,
    })
  },
)

test('a word that makes no sense to a script is refused in a sentence', async () => {
  const refused = async (name: 'build' | 'capacity' | 'release') => (await ask(scripts[name], 'nonsense')).out
  expect(await refused('build')).toStartWith('There is no target nonsense.\n\nnpm run build')
  expect(await refused('capacity')).toStartWith('There is no part nonsense.\n\nnpm run capacity')
  expect(await refused('release')).toStartWith('nonsense is not a version.\n\nnpm run release')
})

import { describe, expect, test } from 'bun:test'
import { commandsIn, leavesIn } from '../../src/cli/help/command-tree.ts'
import { EXAMPLES, examplesOf } from '../../src/cli/help/examples.ts'
import { program } from '../../src/cli/program.ts'
import { EXIT_CODES } from '../../src/exit-codes.ts'
import { RELEASE } from '../../src/release.ts'
import { petstore } from '../support/service/cli.ts'
import { HINTED } from '../support/service/process.ts'

const commands = commandsIn(await program())

describe('--help', () => {
  test.each(commands.map(({ path }) => path))('of "petstore %s" ends with examples', async path => {
    const words = path.split(' ').filter(Boolean)
    const { code, stdout, stderr } = await petstore([...words, '--help'])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toStartWith(`Usage: petstore ${path}`)
    const shown = stdout.slice(stdout.indexOf('\nExamples:\n'))
    const examples = examplesOf(path)
    expect(examples.length).toBeGreaterThan(0)
    for (const [words, purpose] of examples) {
      expect(shown).toContain(`\n  ${HINTED} ${words} `)
      expect(shown).toContain(` # ${purpose}\n`)
    }
  })

  test('of the program has the one table of exit codes', async () => {
    const { stdout } = await petstore(['--help'])
    for (const { code, meaning } of Object.values(EXIT_CODES))
      expect(stdout).toContain(`  ${code}  ${meaning}\n`)
  })
})

test('there are examples of every command that does something, and of no other', async () => {
  const leaves = leavesIn(await program())
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(leaves.map(({ path }) => path).toSorted())
})

test.each(Object.entries(EXAMPLES).flatMap(([path, examples]) => examples.map(([words]) => [words, path])))(
  'the example "petstore %s" names only flags that there are',
  (words, path) => {
    expect(words).toStartWith(path)
    const command = commands.find(candidate => candidate.path === path)?.command
    const flags = words.split(' ').filter(word => word.startsWith('--'))
    expect(flags.filter(flag => !command?.options.some(option => option.long === flag))).toEqual([])
  },
)

describe('the version', () => {
  test('is printed alone by --version and -V', async () => {
    for (const flag of ['--version', '-V'])
      expect(await petstore([flag])).toEqual({ code: 0, stdout: `${RELEASE}\n`, stderr: '' })
  })

  test('is printed with those of interface and runtime by the command version', async () => {
    expect((await petstore(['version'])).stdout).toStartWith(`petstore ${RELEASE} (interface 1.0.0, Bun `)
    const { stdout } = await petstore(['version', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ release: RELEASE, interface: '1.0.0', bun: Bun.version })
  })
})

test('without a command, or one that is known, the help goes to standard error, and the exit code says so', async () => {
  for (const words of [[], ['keys'], ['help', 'unknown'], ['pets', 'help', 'unknown']]) {
    const { code, stdout, stderr } = await petstore(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toStartWith('Usage: petstore')
    expect(stderr).toEndWith('\npetstore: Name one of these commands.\n')
  }
})

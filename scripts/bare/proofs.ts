import type { Ended } from '../debian-root/workplace.ts'
import type { BareMachine, User } from './machine.ts'

export interface Proof {
  readonly letter: string
  readonly name: string
  readonly user: User
  readonly variables?: Readonly<Record<string, string>>
  /** Arguments of `npm test` besides the filters. */
  readonly flags: readonly string[]
  /** Returns what was not as expected. */
  readonly judge: (tests: Ended, machine: BareMachine, folder: string) => Promise<string[]>
}

const CLOSING = /^(\d+) passed, (\d+) failed, (\d+) skipped$/m
const ANNOUNCED = /^Installing .+:$/gm
/** Messages of a program that was not prepared for a missing program. */
const UNPREPARED =
  /^.*(TypeError|ReferenceError|ENOENT|Executable not found|command not found|^\s+at \S+ \().*$/m
/** Commands other than the tests that need a program that a bare machine lacks. */
const OTHERS = ['pentest', 'faults -- clock', 'screenshots', 'bench -- --check']

export const PROOFS: readonly Proof[] = [
  {
    letter: 'a',
    name: 'an ordinary user without sudo and without any of the programs',
    user: 'visitor',
    flags: [],
    judge: async tests => [...passed(tests), ...listed(tests), ...prepared(tests)],
  },
  {
    letter: 'c',
    name: 'no procps, no git, no curl, and nothing may be installed',
    user: 'root',
    flags: ['--no-install'],
    judge: async (tests, machine, folder) => {
      const faults = [...passed(tests), ...listed(tests), ...prepared(tests)]
      for (const other of OTHERS) {
        const flag = other.includes('--') ? '--no-install' : '-- --no-install'
        const ended = await machine.run('root', folder, `npm run ${other} ${flag}`)
        faults.push(...prepared(ended).map(fault => `npm run ${other}: ${fault}`))
        if (!/missing/i.test(ended.stdout + ended.stderr))
          faults.push(`npm run ${other} does not say what is missing`)
      }
      return faults
    },
  },
  {
    letter: 'b',
    name: 'root, who installs once what is missing',
    user: 'root',
    variables: { CI: 'true' },
    flags: [],
    judge: async (tests, machine, folder) => {
      const faults = passed(tests)
      const times = tests.stdout.match(ANNOUNCED)?.length ?? 0
      if (times > 1) faults.push(`it installed ${times} times`)
      if (skipped(tests) !== 0) faults.push(`${skipped(tests)} tests were skipped`)
      const audit = await machine.run('root', folder, 'dpkg --audit')
      if (audit.code !== 0 || audit.stdout !== '') faults.push('dpkg found packages that are half installed')
      return faults
    },
  },
]

const skipped = ({ stdout }: Ended): number | undefined => {
  const count = CLOSING.exec(stdout)?.[3]
  return count === undefined ? undefined : Number(count)
}

export const closingLine = ({ stdout }: Ended): string => CLOSING.exec(stdout)?.[0] ?? 'no closing line'

function passed(tests: Ended): string[] {
  const [, , failed] = CLOSING.exec(tests.stdout) ?? []
  return tests.code === 0 && failed === '0' ? [] : [`it ended with ${tests.code}: ${closingLine(tests)}`]
}

/** Every skipped test is reported, with the way to run it. */
function listed(tests: Ended): string[] {
  const lines = tests.stdout.match(/^not run: \d+ tests? needs? \S+: .+$/gm) ?? []
  return skipped(tests) === 0 || lines.length > 0 ? [] : ['it does not say what was not run']
}

function prepared({ stdout, stderr }: Ended): string[] {
  const [line] = UNPREPARED.exec(stdout + stderr) ?? []
  return line === undefined ? [] : [`not a sentence: ${line.trim()}`]
}

import { canInstall, install } from './install.ts'
import { isProgram, type Need, PERMISSIONS, PROGRAMS, type Program } from './list.ts'
import { declare, isRoot, isThere } from './program.ts'

export const NO_INSTALL = '--no-install'
const SETUP = `${isRoot ? '' : 'sudo '}npm run test:setup`

/** Each need, and what needs it. */
export type Wanted = ReadonlyMap<Need, readonly string[]>

const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** Shows what is found and what is missing, and installs it if allowed. Runs before the first test, never inside one. */
export async function preflight(wanted: Wanted): Promise<void> {
  declare([...wanted.keys()])
  if (wanted.size === 0) return
  say(table(wanted))
  const missing = missingOf(wanted)
  if (missing.length === 0) return
  say('')
  if (process.argv.includes(NO_INSTALL) || !canInstall())
    return say(`Missing: ${missing.join(', ')}. To install them on Debian or Ubuntu: ${SETUP}`)
  await install(new Set(missing.map(program => PROGRAMS[program].debian)))
  const still = missingOf(wanted)
  say(still.length === 0 ? 'Everything is there now.' : `Still missing: ${still.join(', ')}.`)
}

/** The same for a command that is not a test; exits if something is still missing. */
export async function preflightOf(command: string, ...programs: Program[]): Promise<void> {
  const wanted = new Map(programs.map(program => [program, [command]] as const))
  await preflight(wanted)
  if (missingOf(wanted).length > 0) process.exit(1)
}

const missingOf = (wanted: Wanted): Program[] =>
  [...wanted.keys()].filter(isProgram).filter(program => !isThere(program))

/** How to provide something that is missing. */
export const remedy = (need: Need): string => (isProgram(need) ? SETUP : PERMISSIONS[need])

function table(wanted: Wanted): string {
  const rows = [...wanted].map(([need, by]) => [need, isThere(need) ? 'found' : 'missing', by.join(', ')])
  const lines = [['program', 'here', 'needed by'], ...rows]
  const width = (column: number): number => Math.max(...lines.map(line => line[column]?.length ?? 0))
  const widths = [width(0), width(1), 0]
  return lines.map(line => line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')).join('\n')
}

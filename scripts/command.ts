import { delimiter, join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

export const ROOT = join(import.meta.dir, '..')
/** Keeps tools from reporting home, and from advertising. */
const QUIET = {
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  REDOCLY_SUPPRESS_NOTIFICATIONS: 'true',
  SCARF_ANALYTICS: 'false',
  DO_NOT_TRACK: '1',
}

export const capture = (...command: string[]) => captureIn(ROOT, command)

/** Runs a tool of a project and returns its standard output; shows its standard error if it fails. */
async function captureIn(folder: string, command: string[]) {
  const PATH = [join(folder, 'node_modules/.bin'), process.env.PATH].join(delimiter)
  const child = Bun.spawn(command, {
    cwd: folder,
    env: { ...process.env, ...QUIET, PATH },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [text, complaints, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) say(complaints)
  return { code, text }
}

export const must = (...command: string[]) => mustIn(ROOT, command)

/** Runs a tool that must succeed, and returns its standard output. */
export async function mustIn(folder: string, command: string[]): Promise<string> {
  const { code, text } = await captureIn(folder, command)
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}\n${text}`)
  return text.trim()
}

/**
 * A port that nothing currently listens on. It is below those that systems give to outgoing connections and to listeners on port 0,
 * one of which could take it before its user starts, or between a stop and the next start.
 */
export function freePort(): number {
  for (;;)
    try {
      const port = 16_384 + Math.floor(Math.random() * 16_384)
      Bun.listen({ hostname: '127.0.0.1', port, socket: { data() {} } }).stop(true)
      return port
    } catch {
      // It is taken.
    }
}

/** The flags and words of a script. It ends here if it is asked for help, or given a flag that it does not know. */
export function argumentsOf<const Flags extends ParseArgsOptionsConfig>(
  usage: string,
  options: Flags,
  takesWords = false,
  args: string[] = process.argv.slice(2),
) {
  if (args.includes('--help')) {
    say(usage)
    process.exit(0)
  }
  try {
    const given = parseArgs({ args, options, allowPositionals: true, tokens: true })
    const [word] = takesWords ? [] : given.positionals
    if (word !== undefined) refuse(`There is nothing called ${word} here.`, usage)
    return given
  } catch (error) {
    const [problem] = (error as Error).message.split('. ')
    return refuse(`${problem}.`, usage)
  }
}

/** Ends a script that was not called correctly. */
export function refuse(problem: string, usage: string): never {
  say(`${problem}\n\n${usage}`)
  process.exit(2)
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

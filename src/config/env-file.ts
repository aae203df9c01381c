import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { parseEnv } from 'node:util'
import { exitFor, InvalidInput, OperatorError, plainReason } from '../operator-error.ts'
import { knownVariables, valueIn } from './load.ts'
import { isNearly } from './misspelled.ts'

const ROOT = 0
const WRITABLE_BY_OTHERS = 0o022

/** Read from the current folder, if it exists and no other file is given. */
export const ENV_FILE = 'petstore.env'

/** Read by the tracing library. The runtime reads its own variables before this file. */
const OF_TRACING = /^OTEL_\w+$/

/** Adds variables from a file, so that commands use the service's settings. The environment takes precedence. */
export function useEnvFile(named: string | undefined, variables: NodeJS.Dict<string> = process.env): void {
  if (named === '') throw new InvalidInput('--env-file is empty. Give it the path of a settings file.')
  const path = named ?? ENV_FILE
  const text = trustedText(path, named === undefined)
  const values = parseEnv(text)
  const names: string[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (/^\s*(?:#|$)/.test(line)) continue
    const where = `${path}, line ${index + 1}`
    const name = settingIn(line, where)
    if (names.includes(name)) throw new InvalidInput(`${where}: ${name} is set a second time. Remove one.`)
    if (values[name] === undefined)
      throw new InvalidInput(`${where}: ${name} is not read. Close the quote above it, or retype the line.`)
    names.push(name)
  }
  for (const [name, value] of Object.entries(values)) variables[name] = valueIn(name, variables) ?? value
}

/** The content of a file that only this user or root can have written: its settings decide where API keys are sent. */
function trustedText(path: string, isOptional: boolean): string {
  let file: number | undefined
  try {
    // A link to a missing file is an error, because somebody meant its settings to be used.
    if (isOptional && lstatSync(path, { throwIfNoEntry: false }) === undefined) return ''
    // Without waiting, because a pipe of another user would never be opened.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    // The opened file is checked, because a name or a symbolic link could be replaced after the check.
    const stats = fstatSync(file)
    // Devices contain no settings, and /dev/zero, to which anybody can link, never ends.
    if (stats.isCharacterDevice()) return ''
    assertTrusted(path, stats)
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof OperatorError) throw cause
    const exit = exitFor(cause)
    const message = `The settings file ${path} cannot be read: ${plainReason(cause)}.`
    const advice = isOptional ? ' If this folder is not meant, change to another one.' : ''
    throw new OperatorError(message + advice, { cause, exit })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function assertTrusted(path: string, { uid, mode }: Stats): void {
  if (uid !== process.geteuid?.() && uid !== ROOT)
    throw new InvalidInput(
      `The settings file ${path} belongs to user ${uid}. Change to another folder, or choose another file with --env-file.`,
    )
  if ((mode & WRITABLE_BY_OTHERS) !== 0)
    throw new InvalidInput(
      `Other users can write the settings file ${path}. Read it, then run chmod go-w on it, or choose another file with --env-file.`,
    )
}

/** The name of the setting in a line of a settings file. */
function settingIn(line: string, where: string): string {
  const [, name, value = ''] = /^\s*(?:export\s+)?(\w+)\s*=\s*(.*)/.exec(line) ?? []
  if (name === undefined) throw new InvalidInput(`${where}: not a NAME=value line. Its text is not shown.`)
  if (/^(?!['"`])[^#]*[^#\s]#/.test(value))
    throw new InvalidInput(`${where}: a value with a # must be in quotes, because a # begins a comment.`)
  if (knownVariables().includes(name) || OF_TRACING.test(name)) return name
  const meant = knownVariables().find(known => isNearly(name, known))
  const advice = meant ? `Did you mean ${meant}?` : 'Correct its name, or move it to the environment.'
  throw new InvalidInput(`${where}: there is no setting ${name}. ${advice}`)
}

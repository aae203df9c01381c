import { readFileSync, statSync } from 'node:fs'
import { codeOf, InvalidInput } from '../operator-error.ts'
import { fileVariable, type Variables } from './variables.ts'

const MAX_BYTES = 64 * 1024

/** The value that a file holds, if one is named. A line break at its end is not part of it. */
export function readSecretFile(variable: string, variables: Variables): string | undefined {
  const path = variables[fileVariable(variable)]
  if (!path) return undefined
  if (variables[variable])
    throw new InvalidInput(`${variable} and ${fileVariable(variable)} are both set. Leave one of them out.`)
  const [value, ...rest] = textOf(path, variable).split(/\r?\n/)
  if (!value) throw unfit(variable, 'is empty')
  if (rest.join('') !== '') throw unfit(variable, 'has more than one line')
  return value
}

function textOf(path: string, variable: string): string {
  try {
    const about = statSync(path)
    // A pipe or a device might never end.
    if (!about.isFile()) throw unfit(variable, 'is not a file')
    if (about.size > MAX_BYTES) throw unfit(variable, 'is larger than 64 KiB')
    return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(path))
  } catch (error) {
    if (error instanceof InvalidInput) throw error
    if (error instanceof TypeError) throw unfit(variable, 'is not valid UTF-8')
    throw unfit(variable, `cannot be read (${codeOf(error)})`)
  }
}

/** The path is not shown: by mistake it may be the secret itself. */
const unfit = (variable: string, reason: string): InvalidInput =>
  new InvalidInput(
    `${fileVariable(variable)} must be the path of a file that holds the value, but it ${reason}.`,
  )

import { resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** There is nothing of ours where a command was told to look. What to do about it, the command knows. */
export class NoDatabase extends OperatorError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, exit: 'missing' })
  }
}

export const noFile = (path: string): NoDatabase =>
  new NoDatabase(`There is no database at ${resolve(path)}.`)

export const noSchema = (name: string): NoDatabase => new NoDatabase(`There is no petstore in ${name}.`)

import { resolve } from 'node:path'
import { OperatorError } from '../operator-error.ts'

/** The settings name a database that does not exist. The command adds what to do. */
export class NoDatabase extends OperatorError {
  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, exit: 'missing' })
  }
}

export const noFile = (path: string): NoDatabase =>
  new NoDatabase(`There is no database at ${resolve(path)}.`)

export const noSchema = (name: string): NoDatabase => new NoDatabase(`There is no petstore in ${name}.`)

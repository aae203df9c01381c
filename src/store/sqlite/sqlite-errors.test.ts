import { SQLiteError } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { openSync } from 'node:fs'
import { fileCannotAnswer } from './sqlite-errors.ts'

test('a failure of the operating system is a storage that cannot answer, a fault of ours is not', () => {
  let error: unknown
  try {
    openSync('/no/such/file', 'r')
  } catch (caught) {
    error = caught
  }
  expect(fileCannotAnswer(error)).toBe(true)
  expect(fileCannotAnswer(new TypeError('undefined is not a function'))).toBe(false)
  expect(fileCannotAnswer(Object.assign(Object.create(SQLiteError.prototype), { errno: 1 }))).toBe(false)
})

import { expect, test } from 'bun:test'
import { exitOf } from './operator-error.ts'

test.each([
  ['ENOENT', 'missing'],
  ['EACCES', 'invalid'],
  ['EBUSY', 'unavailable'],
  // A bug of ours or of a driver: systemd starts the service again.
  ['ERR_INVALID_ARG_TYPE', 'failed'],
  ['57P03', 'failed'],
] as const)('a failure with the code %s exits as %s', (code, exit) =>
  expect(exitOf(Object.assign(new Error('x'), { code }))).toBe(exit),
)

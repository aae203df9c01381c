import { expect, test } from 'bun:test'
import { exitFor, exitOf } from './operator-error.ts'

test.each([
  ['ENOENT', 'missing'],
  ['EACCES', 'invalid'],
  ...['EBUSY', 'ENOSPC', 'EROFS', 'EMFILE'].map(code => [code, 'unavailable'] as const),
  // A bug of ours or of a driver: systemd starts the service again.
  ['ERR_INVALID_ARG_TYPE', 'failed'],
  ['57P03', 'failed'],
] as const)('a failure with the code %s exits as %s', (code, exit) =>
  expect(exitOf(Object.assign(new Error('x'), { code }))).toBe(exit),
)

test('a host that cannot be resolved for now is not the fault of its setting', () =>
  expect(exitFor(Object.assign(new Error('x'), { code: 'EAI_AGAIN' }))).toBe('unavailable'))

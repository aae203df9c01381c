import { expect, test } from 'bun:test'
import { loadConfig } from '../config/load.ts'
import { newKey } from '../keys/api-key.ts'
import { restoredText } from './backup.ts'
import { backupFinding, certificateFinding, keysFinding } from './doctor.ts'
import { localUrl } from './ready.ts'

test('after a restore, people read what may be assigned or valid again, unless the old database was there', () => {
  const keys = { keys: 2, revokedAgain: 1, droppedKeys: [] }
  const known = { animals: 1, lastId: 3n, kept: undefined, mayLackWal: false, ...keys }
  const textOf = (knowsWhatCameAfter: boolean, nextId?: bigint): string =>
    restoredText({ ...known, knowsWhatCameAfter }, 'production', nextId)
  expect(restoredText({ ...known, knowsWhatCameAfter: true, mayLackWal: true }, 'production')).toMatch(
    /animals that were in a write-ahead log beside it may be missing/,
  )
  expect(textOf(true)).toMatch(/above 3\.\n1 key revoked after the backup stayed revoked\.\n$/)
  expect(textOf(false)).toMatch(/may be assigned again \(--next-id\)\.\nKeys .* are valid again/)
  expect(textOf(false, 4n)).toMatch(/stayed revoked\.\nKeys .* are valid again/)
})

test('a doctor fails where all keys are revoked, and trusts no backup that is old or from the future', () => {
  const key = { ...newKey('production', 'gone').record, revokedAt: new Date(), lastUsedAt: undefined }
  const keys = [{ ...key, deprecatedCalls: 0, deprecatedCallAt: undefined }]
  expect(keysFinding(keys, undefined, loadConfig({}, {}))).toMatchObject({ level: 'fail' })
  const { level, text } = backupFinding(new Date('2100-01-01'), 'production')
  expect([level, text]).toEqual(['advice', expect.stringContaining('in the future')])
  expect(backupFinding(new Date('2020-01-01'), 'production').level).toBe('advice')
})

test.each([
  [-9, -1, 'fail'],
  [1, 99, 'fail'],
  [-9, 9, 'advice'],
  [-9, 99, 'ok'],
] as const)(
  'a certificate that is valid from day %d until day %d is for the doctor: %s',
  (begins, expires, level) => {
    const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)
    const pair = { file: 'a.crt', cert: '', key: '', begins: inDays(begins), expires: inDays(expires) }
    expect(certificateFinding(pair).level).toBe(level)
  },
)

test.each([
  ['0.0.0.0', undefined, 'http://127.0.0.1:8080'],
  ['::', 'a.crt', 'https://[::1]:8080'],
  ['10.0.0.0', 'a.crt', 'https://10.0.0.0:8080'],
])('a service on %s with the certificate %s is reached at %s', (host, tlsCert, url) =>
  expect(localUrl({ host, port: 8080, tlsCert, tlsKey: tlsCert })).toBe(url),
)

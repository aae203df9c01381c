import { expect, test } from 'bun:test'
import type { KeyRecord } from '../store/store.ts'
import { DAY_MS } from '../warnings.ts'
import { keyTable, parseExpiry } from './keys.ts'

const NOW = new Date('2026-11-16T12:00:00Z')

test.each([
  ['12h', '2026-11-17T00:00:00.000Z'],
  ['90d', '2027-02-14T12:00:00.000Z'],
  ['2099-01-31', '2099-01-31T00:00:00.000Z'],
])('--expires %s is understood', (text, when) => expect(parseExpiry(text, NOW).toJSON()).toBe(when))

test.each(['tomorrow', '', '0d', '90', '2099-02-30', '2099-1-1', '2099-01-31T12:30', '2020-01-01'])(
  '--expires %p is refused with a sentence',
  text => expect(() => parseExpiry(text, NOW)).toThrow(/^--expires .*\.$/),
)

test('the list of keys fits 80 columns, whatever their names and counts, and tells those that are over', () => {
  const key: KeyRecord = {
    id: 'key_26b280cce755',
    name: 'the shop front in the main street of Berlin',
    hint: 'pets_live_aB3d…',
    createdAt: NOW,
    // Soon, which takes the longest text.
    expiresAt: new Date(Date.now() + DAY_MS),
    revokedAt: undefined,
    lastUsedAt: NOW,
    deprecatedCalls: 1234567,
    deprecatedCallAt: NOW,
  }
  const other = { ...key, name: 'ci', revokedAt: NOW, lastUsedAt: undefined, deprecatedCalls: 0 }
  const far = { ...key, expiresAt: new Date('2099-01-31T12:00:00Z') }
  const over = { ...key, expiresAt: new Date('2020-01-31') }
  const lines = keyTable([key, other, far, over], 80).split('\n')
  for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80)
  expect(lines[0]).toMatch(/^ID +NAME +KEY +LAST USED \(UTC\) +DEPRECATED +STATE$/)
  expect(lines[1]).toMatch(
    /^key_26b280cce755 {2}the … +aB3d… +2026-11-16 12:00 +1234567 +until \d\d-\d\d \d\d:\d\d$/,
  )
  expect(lines[2]).toMatch(/^key_26b280cce755 {2}ci +aB3d… +never +- +revoked$/)
  expect(lines[3]).toEndWith(' until 2099-01-31')
  expect(lines[4]).toEndWith(' expired')
})

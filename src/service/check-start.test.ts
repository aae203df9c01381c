import { expect, spyOn, test } from 'bun:test'
import type { Event } from '../observability/events.ts'
import { warningsOf } from './check-start.ts'

const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)
/** Without those of misspelled variables, of which the runner has some. */
const kindsOf = (...args: Parameters<typeof warningsOf>): string[] =>
  warningsOf(...args).flatMap(({ kind }) => (kind === 'unknown-setting' ? [] : kind))

test.each<[days: number, ofCertificate: string[], ofBackup: string[]]>([
  // A backup from the future says nothing of its age: a clock was wrong.
  [15, [], ['backup-is-old']],
  [13, ['certificate-expires-soon'], ['backup-is-old']],
  [-1, ['certificate-expired'], []],
  [-3, ['certificate-expired'], ['backup-is-old']],
])(
  'a certificate that expires in %d days, or a backup made then, is a reason to warn: %p %p',
  (days, ofCertificate, ofBackup) => {
    const tls = { file: 'a.crt', cert: '', key: '', begins: inDays(-9), expires: inDays(days) }
    const made = inDays(days)
    expect([kindsOf(tls), kindsOf(undefined, made)]).toEqual([ofCertificate, ofBackup])
    const old = warningsOf(undefined, made).filter(({ kind }) => kind === 'backup-is-old')
    expect(old).toEqual(ofBackup.map(kind => ({ kind, madeAt: made.toISOString() })) as Event[])
    const expires = tls.expires.toISOString()
    const told = ofCertificate.map(kind => ({ kind, file: 'a.crt', expires }))
    expect(warningsOf(tls).filter(({ kind }) => kind !== 'unknown-setting')).toEqual(told as Event[])
  },
)

test('a certificate that is not valid yet is a reason to warn, because clients refuse it', () => {
  const tls = { file: 'a.crt', cert: '', key: '', begins: inDays(1), expires: inDays(99) }
  expect(kindsOf(tls)).toEqual(['certificate-not-valid-yet'])
  const begins = tls.begins.toISOString()
  expect(warningsOf(tls)).toContainEqual({ kind: 'certificate-not-valid-yet', file: 'a.crt', begins })
})

test.each([
  [1, []],
  [3, ['backup-is-old']],
])('a service that has run for %d days without any backup is a reason to warn: %p', (days, warnings) => {
  using _ = spyOn(process, 'uptime').mockReturnValue(days * 86_400)
  expect(kindsOf(undefined, null)).toEqual(warnings)
})

test('a variable that could be a misspelled setting is a reason to warn', () => {
  process.env.PETSTORE_FOO = 'x'
  try {
    expect(warningsOf(undefined)).toContainEqual({ kind: 'unknown-setting', variable: 'PETSTORE_FOO' })
  } finally {
    delete process.env.PETSTORE_FOO
  }
})

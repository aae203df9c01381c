import { expiryOf, readTlsPair } from '../../api/tls.ts'
import type { TlsFiles } from '../../config/protections.ts'
import { messageOf } from '../../operator-error.ts'
import { advice, type Finding, fail, ok } from '../../store/diagnosis.ts'

const EXPIRES_SOON_MS = 14 * 24 * 60 * 60 * 1000

/** Whether the certificate can be served, and for how long. */
export function certificateFinding(files: TlsFiles): Finding {
  try {
    const expiry = expiryOf(readTlsPair(files))
    const remainingMs = new Date(expiry).getTime() - Date.now()
    const text = `${files.cert} is valid until ${expiry}`
    if (remainingMs <= 0) return fail('certificate', `${files.cert} expired at ${expiry}. Renew it`)
    return remainingMs < EXPIRES_SOON_MS
      ? advice('certificate', `${text}. Renew it`)
      : ok('certificate', text)
  } catch (error) {
    return fail('certificate', messageOf(error))
  }
}

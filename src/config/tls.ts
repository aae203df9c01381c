import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { explained, InvalidInput } from '../operator-error.ts'
import type { TlsFiles } from './load.ts'

/** The contents of the files: a certificate chain and its private key. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
  /** The file of the certificate, and when it begins and ceases to be valid. */
  readonly file: string
  readonly begins: Date
  readonly expires: Date
}

/** Reads and checks the pair. An error names the bad file. */
export function readTlsPair(files: TlsFiles): TlsPair {
  const pair = { cert: read(files.cert, 'certificate'), key: read(files.key, 'private key') }
  const certificate = parse(() => new X509Certificate(pair.cert), files.cert, 'PEM certificate')
  const key = parse(() => createPrivateKey(pair.key), files.key, 'PEM private key without a passphrase')
  if (!certificate.checkPrivateKey(key))
    throw new InvalidInput(`The private key ${files.key} does not belong to the certificate ${files.cert}.`)
  const { validFromDate: begins, validToDate: expires } = certificate
  return { ...pair, file: files.cert, begins, expires }
}

const read = (path: string, what: string): string =>
  explained(
    reason => `The ${what} ${path} cannot be read: ${reason}.`,
    () => readFileSync(path, 'utf8'),
  )

function parse<T>(attempt: () => T, path: string, what: string): T {
  try {
    return attempt()
  } catch {
    // The cause is left out: the text of a private key must not reach a log.
    throw new InvalidInput(`${path} does not hold a ${what}.`)
  }
}

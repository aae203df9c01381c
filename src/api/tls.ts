import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { TlsFiles } from '../config/load.ts'
import { OperatorError } from '../operator-error.ts'

/** The contents of the files: a certificate chain and its private key. */
export interface TlsPair {
  readonly cert: string
  readonly key: string
}

/** Reads and checks the pair; throws a sentence that names the bad file. */
export function readTlsPair(files: TlsFiles): TlsPair {
  const pair = { cert: read(files.cert, 'certificate'), key: read(files.key, 'private key') }
  const certificate = parse(() => new X509Certificate(pair.cert), files.cert, 'PEM certificate')
  const key = parse(() => createPrivateKey(pair.key), files.key, 'PEM private key without a passphrase')
  if (!certificate.checkPrivateKey(key))
    throw new OperatorError(`The private key ${files.key} does not belong to the certificate ${files.cert}.`)
  return pair
}

export const expiryOf = ({ cert }: TlsPair): string => new X509Certificate(cert).validToDate.toISOString()

function read(path: string, what: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    throw new OperatorError(`The ${what} ${path} cannot be read (${code}).`, { cause })
  }
}

function parse<T>(attempt: () => T, path: string, what: string): T {
  try {
    return attempt()
  } catch {
    // The cause is left out: the text of a private key must not reach a log.
    throw new OperatorError(`${path} does not hold a ${what}.`)
  }
}

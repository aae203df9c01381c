import { spawnSync } from 'node:child_process'
import { program } from '../../../support/programs.ts'

export function openssl(...args: readonly string[]): void {
  const { status, stderr } = spawnSync(program('openssl'), args)
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
}

/** Writes a self-signed certificate for 127.0.0.1 and its key. */
export function makeCertificate(name: string, cert: string, key: string): void {
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' ')
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  openssl(...made, ...subject, '-keyout', key, '-out', cert)
}

import { spawnSync } from 'node:child_process'
import { program } from '../../../support/programs.ts'

/** Writes a self-signed certificate for 127.0.0.1 and its key. */
export function makeCertificate(name: string, cert: string, key: string): void {
  const args = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2'.split(' ')
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const files = ['-keyout', key, '-out', cert]
  const { status, stderr } = spawnSync(program('openssl'), [...args, ...subject, ...files])
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
}

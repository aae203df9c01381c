import { spawnSync } from 'node:child_process'
import { connect } from 'node:tls'
import { program } from '../../../support/programs/program.ts'

/** Writes a self-signed certificate for 127.0.0.1 and its key. */
export function makeCertificate(name: string, cert: string, key: string): void {
  const subject = ['-subj', `/CN=${name}`, '-addext', 'subjectAltName=IP:127.0.0.1,DNS:localhost']
  const args = [
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:P-256',
    '-nodes',
    '-days',
    '2',
  ]
  const { status, stderr } = spawnSync(program('openssl'), [
    ...args,
    ...subject,
    '-keyout',
    key,
    '-out',
    cert,
  ])
  if (status !== 0) throw new Error(`openssl failed: ${stderr}`)
}

/** The common name of the certificate that a service presents to a new connection; empty if it refuses the connection. */
export const shownCertificate = (url: string): Promise<string> =>
  new Promise(resolve => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
    socket.once('error', () => resolve(''))
    socket.once('secureConnect', () => {
      resolve(String(socket.getPeerCertificate().subject.CN))
      socket.destroy()
    })
  })

import { expect } from 'bun:test'
import { X509Certificate } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY, startProcess } from '../../support/service.ts'
import { makeCertificate, openssl } from './support/certificate.ts'

const { test } = needs('openssl')

/** Where a certificate and its key are, and the settings that name them. */
async function place() {
  const folder = await freshFolder()
  const [cert, key] = [join(folder, 'a.crt'), join(folder, 'a.key')]
  return { folder, cert, key, variables: { PETSTORE_TLS_CERT: cert, PETSTORE_TLS_KEY: key } }
}

test('the command line does not retry with a certificate that is not trusted, and its advice helps', async () => {
  const { cert, key, variables } = await place()
  makeCertificate('localhost', cert, key)
  const service = await startProcess({ variables })
  const list = (more: Record<string, string> = {}) =>
    petstore(['pets', 'list', '--base-url', `${service.url}/v1`], { PETSTORE_API_KEY: API_KEY, ...more })
  const refused = await list()
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(
      /^petstore: connection_failed: .* is not trusted: \w+\. Set NODE_EXTRA_CA_CERTS .*\n$/,
    ),
  ])
  expect(await list({ NODE_EXTRA_CA_CERTS: cert })).toEqual({ code: 0, stdout: '', stderr: '' })
  expect(await service.stop()).toBe(0)
})

/** Lets a certificate begin in 2036. Nobody checks its own signature. */
function postpone(file: string): void {
  const { raw } = new X509Certificate(readFileSync(file))
  const UTC_TIME = Buffer.from([0x17, 13])
  raw.write('360101000000Z', raw.indexOf(UTC_TIME) + UTC_TIME.length)
  writeFileSync(file, raw)
  openssl('x509', '-inform', 'DER', '-in', file, '-out', file)
}

test('with a certificate the service speaks HTTPS alone; one that expires soon, has expired, or is not valid yet, is warned of and served; ready and doctor speak TLS', async () => {
  const { folder, cert, key, variables } = await place()
  for (const kind of ['expires-soon', 'expired', 'not-valid-yet']) {
    makeCertificate('localhost', cert, key)
    if (kind === 'expired') openssl('x509', '-in', cert, '-signkey', key, '-days', '-1', '-out', cert)
    if (kind === 'not-valid-yet') postpone(cert)
    const databaseUrl = await freshSqliteUrl()
    const checked = await petstore(['serve', '--check', '--port', '0'], variables, { cwd: folder })
    const valid = expect.stringContaining(`certificate: ${cert} is valid `)
    expect([checked.code, checked.stderr]).toEqual([0, valid])
    const service = await startProcess({ databaseUrl, variables })
    const warning = await service.output.entry(({ event }) => event === `certificate-${kind}`)
    expect(warning).toMatchObject({ level: 'warn', file: cert })
    await expect(fetch(service.url.replace('https', 'http'))).rejects.toThrow()
    const here = { ...variables, DATABASE_URL: databaseUrl, PORT: new URL(service.url).port }
    const ready = await petstore(['ready'], here)
    expect(ready).toMatchObject({ code: 0, stdout: expect.stringContaining('https://127.0.0.1') })
    const { stdout } = await petstore(['doctor', '--json'], here)
    const { findings } = JSON.parse(stdout) as { findings: { topic: string; level: string }[] }
    const level = kind === 'expires-soon' ? 'advice' : 'fail'
    expect(findings).toContainEqual(expect.objectContaining({ topic: 'certificate', level }))
    expect(findings).toContainEqual(expect.objectContaining({ topic: 'service', level: 'ok' }))
    expect(await service.stop()).toBe(0)
  }
})

import { expect } from 'bun:test'
import { cpSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { needs } from '../../support/programs/needs.ts'
import { petstore } from '../../support/service/cli.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { makeCertificate, shownCertificate } from './support/certificate.ts'

const { afterAll, beforeAll, describe, test } = needs('openssl')

const folder = mkdtempSync(join(tmpdir(), 'petstore-tls-'))
const files = (name: string) => ({ cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) })
const live = files('live')
const TLS = { PETSTORE_TLS_CERT: live.cert, PETSTORE_TLS_KEY: live.key }

function install(name: string): void {
  const source = files(name)
  cpSync(source.key, `${live.key}.new`)
  renameSync(`${live.key}.new`, live.key)
  cpSync(source.cert, `${live.cert}.new`)
  renameSync(`${live.cert}.new`, live.cert)
}

beforeAll(() => {
  for (const name of ['one', 'two', 'three']) makeCertificate(name, files(name).cert, files(name).key)
})

describe('HTTPS', () => {
  let service: ServiceProcess
  const get = (target: string) =>
    fetch(service.url + target, {
      headers: { Authorization: `Bearer ${API_KEY}` },
      tls: { rejectUnauthorized: false },
      keepalive: false,
    })

  beforeAll(async () => {
    install('one')
    service = await startProcess({ databaseUrl: await freshSqliteUrl(), variables: TLS })
  })
  afterAll(async () => expect(await service.stop()).toBe(0))

  test('is what the service speaks where it has a certificate, and plain HTTP gets no answer', async () => {
    expect(service.url).toStartWith('https://')
    expect((await get('/v1/pets')).status).toBe(200)
    expect(await shownCertificate(service.url)).toBe('one')
    await expect(fetch(service.url.replace('https', 'http'))).rejects.toThrow()
  })

  test('a renewed certificate is served after a restart', async () => {
    install('two')
    service = await service.restart()
    expect(await shownCertificate(service.url)).toBe('two')
    expect((await get('/v1/pets')).status).toBe(200)
  })

  test('a port that is taken is refused', async () => {
    const { code, stderr } = await petstore(['serve'], {
      ...TLS,
      PORT: new URL(service.url).port,
      DATABASE_URL: await freshSqliteUrl(),
    })
    expect(code).not.toBe(0)
    expect(stderr).toContain('is in use')
  })
})

describe('a certificate that cannot be used stops the start with a sentence', () => {
  const empty = join(folder, 'empty')
  writeFileSync(empty, '')
  const noKey = join(folder, 'no-key')
  writeFileSync(noKey, 'BEGIN canary-private-key')
  const bad: [string, Record<string, string>, RegExp][] = [
    ['the key is missing', { PETSTORE_TLS_CERT: live.cert }, /PETSTORE_TLS_KEY .* must be set too/],
    ['the certificate is missing', { PETSTORE_TLS_KEY: live.key }, /PETSTORE_TLS_CERT .* must be set too/],
    ['no such file', { ...TLS, PETSTORE_TLS_CERT: '/nowhere.pem' }, /\/nowhere\.pem cannot be read/],
    ['it is empty', { ...TLS, PETSTORE_TLS_CERT: empty }, /does not hold a PEM certificate/],
    ['the key is none', { ...TLS, PETSTORE_TLS_KEY: noKey }, /does not hold a PEM private key/],
    ['the key is another', { ...TLS, PETSTORE_TLS_KEY: files('one').key }, /does not belong/],
  ]
  test.each(bad)('%s', async (_why, variables, sentence) => {
    install('three')
    const { code, stderr } = await petstore(['serve'], {
      ...variables,
      PORT: '0',
      DATABASE_URL: await freshSqliteUrl(),
    })
    expect(code).not.toBe(0)
    expect(stderr).toMatch(sentence)
    expect(stderr.trim().split('\n')).toHaveLength(1)
    expect(stderr).not.toContain('canary')
  })
})

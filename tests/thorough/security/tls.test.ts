import { expect } from 'bun:test'
import { cpSync, mkdtempSync, renameSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { petstore } from '../../support/service/cli.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
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
  const shows = (name: string, withinMs: number) =>
    eventually(
      `the certificate ${name}`,
      async () => ((await shownCertificate(service.url)) === name ? true : undefined),
      withinMs,
    )

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

  test('a renewed certificate is served within 5 seconds of its arrival, without a signal', async () => {
    install('two')
    await shows('two', 5000)
    expect((await get('/v1/pets')).status).toBe(200)
    await service.output.entry(
      ({ event, expires }) => event === 'certificate-replaced' && expires !== undefined,
    )
  })

  test('SIGHUP makes it so at once', async () => {
    install('three')
    service.signal('SIGHUP')
    await shows('three', 1500)
  })

  test('a request under way when the certificate changes gets its answer', async () => {
    const { hostname, port } = new URL(service.url)
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
    await new Promise(resolve => socket.once('secureConnect', resolve))
    const body = petJson({ name: 'on the way' })
    let received = ''
    socket.on('data', chunk => {
      received += chunk
    })
    const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\nContent-Type: application/json`
    socket.write(`${head}\r\nExpect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`)
    await eventually('it waits for the body', () => received.startsWith('HTTP/1.1 100 ') || undefined)
    install('one')
    service.signal('SIGHUP')
    await shows('one', 1500)
    socket.write(body)
    await eventually('the answer', () => (received.includes('on the way') ? true : undefined))
    expect(received).toContain('\r\n\r\nHTTP/1.1 201 ')
    socket.destroy()
  })

  test('files that do not belong together leave the certificate that was good in use, and the log says so', async () => {
    cpSync(files('two').cert, live.cert)
    const entry = await service.output.entry(({ event }) => event === 'background-task-failed')
    expect(JSON.stringify(entry)).toContain('does not belong to the certificate')
    expect(await shownCertificate(service.url)).toBe('one')
    install('two')
    await shows('two', 5000)
  })

  test('no private key is ever printed', async () => {
    const complaints = () =>
      service.output.log.filter(({ event }) => event === 'background-task-failed').length
    const before = complaints()
    writeFileSync(live.key, 'BEGIN canary-private-key')
    await eventually('another complaint', () => complaints() > before || undefined)
    expect(service.output.text).not.toContain('canary-private-key')
    install('two')
  })

  test('a port that is taken is refused, though listeners are replaced on a port that they share', async () => {
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
  const bad: [string, Record<string, string>, RegExp][] = [
    ['the key is missing', { PETSTORE_TLS_CERT: live.cert }, /PETSTORE_TLS_KEY .* must be set too/],
    ['the certificate is missing', { PETSTORE_TLS_KEY: live.key }, /PETSTORE_TLS_CERT .* must be set too/],
    ['no such file', { ...TLS, PETSTORE_TLS_CERT: '/nowhere.pem' }, /\/nowhere\.pem cannot be read/],
    ['it is empty', { ...TLS, PETSTORE_TLS_CERT: empty }, /does not hold a PEM certificate/],
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
  })
})

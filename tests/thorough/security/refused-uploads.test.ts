import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { RawConnection } from '../../support/http/raw-http.ts'
import { Haproxy, withTls } from '../../support/programs/haproxy.ts'
import { needs } from '../../support/programs/needs.ts'
import { program } from '../../support/programs/program.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { makeCertificate } from './support/certificate.ts'

const { afterAll, beforeAll, describe, test } = needs('haproxy', 'curl', 'openssl')
const SIZES = [100_000, 250_000, 700_000, 2_000_000, 50_000_000]
/** Above, the connection ends while the client still sends, and whether it sees the answer is up to the client. */
const READ_TO_THE_END = 256 * 1024
const CUT_OFF = '0 000'
const VICTIMS_EACH = 25
const KEY = `Authorization: Bearer ${API_KEY}`

let service: ServiceProcess
let haproxy: Haproxy
let folder: string
beforeAll(async () => {
  folder = await freshFolder()
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  await service.post(petJson({}))
  const [cert, key, pem] = ['crt', 'key', 'pem'].map(kind => join(folder, `haproxy.${kind}`)) as [
    string,
    string,
    string,
  ]
  makeCertificate('localhost', cert, key)
  writeFileSync(pem, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'))
  const port = Number(new URL(service.url).port)
  haproxy = await Haproxy.before([port, port, port], withTls(folder, pem))
})
afterAll(async () => {
  await haproxy.stop()
  expect(await service.stop()).toBe(0)
})

/** The statuses of requests, each over its own HTTP/2 connection. */
async function curl(count: number, ...args: string[]): Promise<string[]> {
  const one = async (): Promise<string> => {
    const fixed = ['-sk', '--http2', '-m', '20', '-o', '/dev/null', '-w', '%{http_version} %{http_code}']
    const child = Bun.spawn([program('curl'), ...fixed, ...args, `${haproxy.url}/v1/pets`], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return child.stdout.text()
  }
  return Promise.all(Array.from({ length: count }, one))
}

describe('an upload that is refused, over TLS and HTTP/2 through deploy/haproxy.cfg', () => {
  test.each(SIZES)(
    'of %d bytes stalls no request of another client',
    async size => {
      const file = join(folder, `body-${size}`)
      writeFileSync(file, Buffer.alloc(size, ' '))
      const body = ['-H', 'Content-Type: application/json', '--data-binary', `@${file}`]
      for (const [status, key] of [
        ['401', []],
        ['413', ['-H', KEY]],
      ] as const) {
        const answered = `2 ${status}`
        for (const answer of await curl(2, ...body, ...key))
          expect(answer).toBeOneOf(size <= READ_TO_THE_END ? [answered] : [answered, CUT_OFF])
        expect(new Set(await curl(VICTIMS_EACH, '-H', KEY))).toEqual(new Set(['2 200']))
      }
    },
    60_000,
  )
})

describe('an upload that is refused, without a proxy', () => {
  /** Sends a chunked body to its end, whatever the service answers meanwhile, as Python's requests does. */
  const upload = (size: number, key: string | undefined): Promise<number> =>
    new Promise((resolve, reject) => {
      const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) }
      const sending = request(`${service.url}/v1/pets`, { method: 'POST', headers }, answer => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
      })
      sending.on('error', reject)
      for (let sent = 0; sent < size; sent += 50_000) sending.write(Buffer.alloc(50_000, ' '))
      sending.end()
    })

  test('of 250 KB in chunks is answered each time, with a key or without', async () => {
    for (let n = 0; n < 6; n++) {
      expect(await upload(250_000, undefined)).toBe(401)
      expect(await upload(250_000, API_KEY)).toBe(413)
    }
  })

  test('whose bytes do not come is answered within 3 seconds, and its connection ends', async () => {
    const started = performance.now()
    for (const head of [['Content-Length: 700000'], ['Transfer-Encoding: chunked']]) {
      const connection = new RawConnection(service.url)
      connection.send(`${['POST /v1/pets HTTP/1.1', 'Host: x', ...head].join('\r\n')}\r\n\r\n`)
      const answer = await connection.read()
      expect(answer.failure).toBe('401 missing_api_key')
      expect(answer.headers.get('connection')).toBe('close')
      await connection.untilClosed()
    }
    expect(performance.now() - started).toBeLessThan(6000)
  })
})

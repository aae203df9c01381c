import { expect } from 'bun:test'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { atOnce, freshFolder } from '../../support/process.ts'
import { HAPROXY, Haproxy, needs, program } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { makeCertificate } from './support/certificate.ts'
import { KEY } from './support/clients.ts'

const { afterAll, beforeAll, test } = needs('haproxy', 'curl', 'openssl')
/** Above, the connection ends while the client still sends, and whether it sees the response is up to the client. */
const READ_TO_THE_END = 4 * 1024 * 1024
const CUT_OFF = '0 000'

let service: ServiceProcess
let haproxy: Haproxy
let folder: string
beforeAll(async () => {
  folder = await freshFolder()
  service = await startProcess()
  const pem = join(folder, 'a.pem')
  makeCertificate('localhost', pem, pem)
  const port = Number(new URL(service.url).port)
  haproxy = await Haproxy.before([port, port, port], withTls(pem))
})
afterAll(async () => {
  await haproxy.stop()
  expect(await service.stop()).toBe(0)
})

/** A copy of deploy/haproxy.cfg with its TLS line in place of the plain HTTP one. */
function withTls(certificate: string): string {
  const text = readFileSync(HAPROXY, 'utf8')
  const [, before = '', behind = ''] = /# With TLS: (bind .* crt )\S+( .*)\n/.exec(text) ?? []
  const path = join(folder, 'haproxy.cfg')
  const plain = /^ {4}bind .*LISTEN.*$/m
  writeFileSync(path, text.replace(plain, `    ${before}${certificate}${behind}`))
  return path
}

/** The HTTP versions and statuses of requests, each over a connection of its own. */
const curl = (count: number, ...args: string[]): Promise<string[]> => {
  const fixed = ['-sk', '--http2', '-m', '20', '-o', '/dev/null', '-w', '%{http_version} %{http_code}']
  const command = [program('curl'), ...fixed, ...args, `${haproxy.url}/v1/pets`]
  return atOnce(count, () => Bun.spawn(command).stdout.text())
}

test.each([100_000, 300_000, 1_000_000, 3_000_000, 50_000_000])(
  'a refused upload of %d bytes, over HTTP/2 through deploy/haproxy.cfg, stalls no request of another client',
  async size => {
    const file = join(folder, `body-${size}`)
    writeFileSync(file, Buffer.alloc(size, ' '))
    const body = ['-H', 'Content-Type: application/json', '--data-binary', `@${file}`]
    for (const [answered, ...key] of [['2 401'], ['2 413', '-H', KEY]] as const) {
      for (const answer of await curl(2, ...body, ...key))
        expect(answer).toBeOneOf(size <= READ_TO_THE_END ? [answered] : [answered, CUT_OFF])
      expect(new Set(await curl(25, '-H', KEY))).toEqual(new Set(['2 200']))
    }
  },
)

import { expect } from 'bun:test'
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { petJson } from '../../support/http/exact.ts'
import { RawConnection } from '../../support/http/raw-http.ts'
import { Haproxy } from '../../support/programs/haproxy.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshFolder, freshSqliteUrl } from '../../support/service/folder.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'

const { afterAll, beforeAll, describe, test } = needs('haproxy')
const PAGE = readFileSync(join(import.meta.dir, '../../../docs/reference/limits.md'), 'utf8')
const block = (language: string): string => PAGE.split(`\`\`\`${language}\n`)[1]?.split('```')[0] ?? ''

const TRIES = 20
const body = petJson({})
const POST = [
  'POST /v1/pets HTTP/1.1',
  'Host: x',
  `Authorization: Bearer ${API_KEY}`,
  'Content-Type: application/json',
  `Content-Length: ${body.length}`,
  '',
  body,
].join('\r\n')

describe('what docs/reference/limits.md says of odd connections', () => {
  let service: ServiceProcess
  let haproxy: Haproxy
  beforeAll(async () => {
    service = await startProcess({ databaseUrl: await freshSqliteUrl() })
    const port = Number(new URL(service.url).port)
    haproxy = await Haproxy.before([port, port, port])
  })
  afterAll(async () => {
    await haproxy.stop()
    expect(await service.stop()).toBe(0)
  })

  test('is what its program shows, which has no code of ours', async () => {
    const file = join(await freshFolder(), 'odd-connections.ts')
    await Bun.write(file, block('ts'))
    const child = Bun.spawn([process.execPath, file], { stdio: ['ignore', 'pipe', 'inherit'] })
    expect(await child.stdout.text()).toBe(block('text'))
  })

  test('two requests sent together get no answer from the service, and both get one through HAProxy', async () => {
    const direct = new RawConnection(service.url)
    direct.send(POST + POST)
    await direct.untilClosed()
    await expect(direct.read()).rejects.toThrow('closed')
    const proxied = new RawConnection(haproxy.url)
    proxied.send(POST + POST)
    for (let n = 0; n < 2; n++) expect((await proxied.read()).status).toBe(201)
    proxied.end()
  })

  test('a half-close behind a request may cost the answer, and does not through HAProxy', async () => {
    const halfClosed = (url: string): Promise<string> =>
      new Promise(resolve => {
        const { hostname, port } = new URL(url)
        const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
        let text = ''
        socket.on('data', chunk => {
          text += chunk
        })
        socket.on('error', () => {})
        for (const event of ['end', 'close']) socket.on(event, () => resolve(text))
        socket.end(POST)
      })
    const statuses = async (url: string): Promise<string[]> => {
      const seen: string[] = []
      for (let n = 0; n < TRIES; n++) seen.push((await halfClosed(url)).slice(0, 12))
      return seen
    }
    // Sometimes the answer arrives before the end of the request.
    expect(await statuses(service.url)).toContain('')
    expect(new Set(await statuses(haproxy.url))).toEqual(new Set(['HTTP/1.1 201']))
  })
})

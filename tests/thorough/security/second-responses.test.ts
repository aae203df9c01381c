import { expect } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { petJson } from '../../support/http.ts'
import { freePort, freshFolder, listens } from '../../support/process.ts'
import { Beside, Haproxy, needs, program } from '../../support/programs.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'

const { afterAll, beforeAll, describe, test } = needs('haproxy', 'nginx')

/** Requests of users beside each shape. */
const REQUESTS = 3000
const USERS = 16
const ATTACKERS = 3

let service: ServiceProcess
const proxies: Record<string, Beside & { readonly url: string }> = {}

beforeAll(async () => {
  service = await startProcess()
  await service.post(petJson({}))
  const port = Number(new URL(service.url).port)
  proxies.haproxy = await Haproxy.before([port, port, port])
  proxies.nginx = await Nginx.before(port)
})
afterAll(async () => {
  for (const proxy of Object.values(proxies)) await proxy.stop()
  service.discard()
})

/** nginx as its documentation sets it up for kept connections to a server. */
class Nginx extends Beside {
  readonly url: string

  private constructor(config: string, port: number) {
    super([program('nginx'), '-c', config, '-g', 'daemon off;'])
    this.url = `http://127.0.0.1:${port}`
  }

  static async before(instance: number): Promise<Nginx> {
    const [folder, port] = [await freshFolder(), await freePort()]
    const config = join(folder, 'nginx.conf')
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    writeFileSync(
      config,
      `master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
events { worker_connections 1024; }
http {
  access_log off;
  ${temporary.map(name => `${name}_temp_path ${folder}/${name};`).join(' ')}
  upstream petstore { server 127.0.0.1:${instance}; keepalive 32; }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://petstore; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off; }
  }
}
`,
    )
    const nginx = new Nginx(config, port)
    await nginx.until('nginx listens', () => listens(port))
    return nginx
  }
}

const CHUNKED = 'Transfer-Encoding: chunked'
/** Requests of anonymous callers that the runtime could answer twice: the head's first line and fields, and the body. */
const SHAPES: Readonly<Record<string, readonly [line: string, field: string, body: string]>> = {
  'GET with a trailer': ['GET /livez', CHUNKED, '0\r\nX-T: y\r\n\r\n'],
  'HEAD with a trailer': ['HEAD /livez', CHUNKED, '5\r\nhello\r\n0\r\nX-T: y\r\n\r\n'],
  'GET with a broken chunk': ['GET /livez', CHUNKED, '5\r\nhello\r\nzz\r\n'],
  'HEAD with a broken chunk': ['HEAD /', CHUNKED, 'zz\r\n'],
  'OPTIONS with a trailer': ['OPTIONS /v1/pets', CHUNKED, '0\r\nX-T: y\r\n\r\n'],
  'DELETE with a trailer': ['DELETE /v1/pets', CHUNKED, '5\r\nhello\r\n0\r\nX-T: y\r\n\r\n'],
  'PUT with a body that is not read': ['PUT /nothing', 'Content-Length: 70000', 'x'.repeat(70_000)],
  'POST without a key': ['POST /v1/pets', CHUNKED, '5\r\nhello\r\n0\r\nX-T: y\r\n\r\n'],
  'GET with a length': ['GET /livez', 'Content-Length: 5', 'hello'],
  Upgrade: ['GET /livez', 'Connection: Upgrade\r\nUpgrade: websocket', ''],
  'HTTP/1.0': ['GET /livez', 'Connection: keep-alive', ''],
  'no body at all': ['GET /livez', 'X: y', ''],
}

describe.each(['haproxy', 'nginx'])('behind %s', name => {
  test.each(Object.keys(SHAPES))('%s changes no response of other users', async shape => {
    const { url } = proxies[name] as { url: string }
    const attack = new Attack(
      url,
      SHAPES[shape] as (typeof SHAPES)[string],
      shape === 'HTTP/1.0' ? '1.0' : '1.1',
    )
    const odd: string[] = []
    let left = REQUESTS
    const use = async (): Promise<void> => {
      while (left-- > 0) {
        const response = await fetch(`${url}/v1/pets/1`, { headers: { Authorization: `Bearer ${API_KEY}` } })
        const text = await response.text()
        if (response.status !== 200 || !text.startsWith('{"id":1,')) odd.push(`${response.status} ${text}`)
      }
    }
    await Promise.all(Array.from({ length: USERS }, use))
    await attack.stop()
    expect(odd).toEqual([])
    expect(attack.count).toBeGreaterThan(10)
  })
})

/** Anonymous connections that send one shape again and again. */
class Attack {
  count = 0
  #isOver = false
  readonly #attackers: Promise<unknown>

  constructor(url: string, [line, field, body]: readonly [string, string, string], version: string) {
    const { hostname, port } = new URL(url)
    const bytes = `${line} HTTP/${version}\r\nHost: x\r\n${field}\r\n\r\n${body}`
    const attack = async (): Promise<void> => {
      while (!this.#isOver) {
        const socket = connect(Number(port), hostname, () => socket.write(bytes))
        await new Promise<void>(resolve => {
          socket.once('data', () => resolve()).once('close', () => resolve())
          socket.once('error', () => resolve()).setTimeout(1000, () => resolve())
        })
        socket.destroy()
        this.count++
      }
    }
    this.#attackers = Promise.all(Array.from({ length: ATTACKERS }, attack))
  }

  async stop(): Promise<void> {
    this.#isOver = true
    await this.#attackers
  }
}

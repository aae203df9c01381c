import { expect } from 'bun:test'
import type { Socket } from 'bun'
import { petJson, RawConnection } from '../../support/http.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'
import { openDescriptors } from './support/system.ts'

const DESCRIPTORS = 100

/** Sends one request on an open connection. */
async function addOn(connection: RawConnection): Promise<string> {
  const body = petJson({ name: 'connected before' })
  const head = [
    'POST /v1/pets HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${API_KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  connection.send(`${head.join('\r\n')}\r\n\r\n${body}`)
  const { status, text } = await connection.read()
  return status === 201 ? '201' : `${status} ${text}`
}

function openIdle(url: string, count: number): Promise<Socket<undefined>[]> {
  const { hostname, port } = new URL(url)
  const socket = { data: () => {}, error: () => {} }
  const open = () => Bun.connect({ hostname, port: Number(port), socket })
  return Promise.all(Array.from({ length: count }, open))
}

const isServing = async (service: ServiceProcess): Promise<boolean> =>
  (await service.post(petJson({}))).status === 201 && (await service.fetch('/readyz')).status === 200

needs('prlimit', 'root').test.each(['before', 'after'])(
  'out of file descriptors, %s the first write: those connected are served, nothing crashes, and it recovers',
  async moment => {
    const service = await startProcess({
      databaseUrl: await freshSqliteUrl(),
      within: [program('prlimit'), `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`],
    })
    const { pid } = service.process
    if (moment === 'after') expect(await isServing(service)).toBe(true)
    const connected = new RawConnection(service.url)
    connected.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await connected.read()).toHaveStatus(200)
    const idle = await openIdle(service.url, 3 * DESCRIPTORS)
    await eventually('it is out of descriptors', () => openDescriptors(pid) >= DESCRIPTORS || undefined)
    for (let n = 0; n < 20; n++) expect(await addOn(connected)).toBe('201')
    for (const socket of idle) socket.terminate()
    await eventually('it recovers', () => openDescriptors(pid) < DESCRIPTORS / 2 || undefined)
    expect(await isServing(service)).toBe(true)
    connected.end()
    expect(await service.stop()).toBe(0)
  },
)

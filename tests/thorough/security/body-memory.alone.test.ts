import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { figure, measured, TIMEOUT_MS } from '../faults/support/form.ts'
import { residentBytes } from '../faults/support/proc.ts'

const CONNECTIONS = figure(2500, 6000)
const BODY_BYTES = 64 * 1024
const MIB = 2 ** 20
/** What a connection and its request need besides the body. */
const CONNECTION_BYTES = 24 * 1024

const head = (...fields: string[]): string =>
  `${['POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...fields].join('\r\n')}\r\n\r\n`
const LENGTH = `Content-Length: ${BODY_BYTES}`
const KEY = `Authorization: Bearer ${API_KEY}`
const CHUNK = 'Transfer-Encoding: chunked'
const ALMOST = ' '.repeat(BODY_BYTES - 1)

/** The peak memory while all connections hold a body without its last byte, in MiB above the memory before. */
async function grownBy(
  service: ServiceProcess,
  sent: string,
): Promise<{ grown: number; statuses: Set<string> }> {
  const { hostname, port } = new URL(service.url)
  const before = residentBytes(service.process.pid)
  const statuses = new Set<string>()
  let highest = before
  let written = 0
  const sockets: Socket[] = Array.from({ length: CONNECTIONS }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('connect', () => socket.write(sent, () => written++))
    socket.on('data', data => statuses.add(data.toString('latin1').slice(9, 12)))
    socket.on('error', () => {})
    return socket
  })
  const watch = setInterval(() => {
    highest = Math.max(highest, residentBytes(service.process.pid))
  }, 50)
  await eventually('all bodies are sent', () => (written === CONNECTIONS ? true : undefined), 60_000)
  await eventually('the bodies are given up', () => (statuses.size > 0 ? true : undefined), 60_000)
  clearInterval(watch)
  for (const socket of sockets) socket.destroy()
  return { grown: (highest - before) / MIB, statuses }
}

describe('bodies that are not complete', () => {
  let service: ServiceProcess
  beforeEach(async () => {
    service = await startProcess({ databaseUrl: await freshSqliteUrl() })
    // Warms up: memory that the first bodies allocate does not count.
    for (let n = 0; n < 50; n++) await service.post('{"name":"Rex","categoryId":7}'.padEnd(BODY_BYTES))
  })
  afterEach(() => service.stop())

  const kinds: [string, string, number][] = [
    ['without a key take 16 MiB in all, and no more', head(LENGTH) + ALMOST, 16],
    ['without a key, in chunks, take as much', `${head(CHUNK)}ffff\r\n${ALMOST}`, 16],
    ['with a key take 64 MiB more in all', head(LENGTH, KEY) + ALMOST, 80],
    ['with a key, in chunks, take as much', `${head(CHUNK, KEY)}ffff\r\n${ALMOST}`, 80],
  ]
  test.each(kinds)(
    '%s',
    async (what, sent, keptMiB) => {
      const { grown, statuses } = await grownBy(service, sent)
      measured(
        `${CONNECTIONS} bodies of 64 KiB ${what}`,
        `${grown.toFixed(0)} MiB more; ${[...statuses].join(', ')}`,
      )
      expect(grown).toBeLessThan(2 * keptMiB + (CONNECTIONS * CONNECTION_BYTES) / MIB)
      expect((await service.post('{"name":"Rex","categoryId":7}')).status).toBe(201)
    },
    TIMEOUT_MS,
  )
})

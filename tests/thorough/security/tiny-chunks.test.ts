import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { connect, type Socket } from 'node:net'
import { petJson } from '../../support/http/exact.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { measured } from '../faults/support/form.ts'
import { residentBytes } from '../faults/support/proc.ts'

const MIB = 2 ** 20
const KEY = `Authorization: Bearer ${API_KEY}`
const BODY_BYTES = 64 * 1024

const head = (...fields: string[]): string =>
  `${['POST /v1/pets HTTP/1.1', 'Host: x', 'Content-Type: application/json', ...fields].join('\r\n')}\r\n\r\n`

/** A body of this many chunks of one byte each, without its end. */
const chunks = (count: number): string => '1\r\n \r\n'.repeat(count)

let service: ServiceProcess
const sockets: Socket[] = []
beforeEach(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  for (let n = 0; n < 50; n++) await service.post(petJson({}).padEnd(BODY_BYTES))
})
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy()
  await service.stop()
})

function open(count: number, sent: string): Promise<unknown> {
  const { hostname, port } = new URL(service.url)
  return Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname)
      sockets.push(socket)
      socket.on('error', () => {})
      socket.resume()
      return new Promise<void>(resolve => {
        socket.on('connect', () => socket.write(sent, () => resolve()))
        socket.on('close', () => resolve())
      })
    }),
  )
}

/** The longest time that another client waited for `/livez` during some work and the second after it. */
async function slowestLivez(work: Promise<unknown>): Promise<number> {
  let isOver = false
  void work.then(async () => {
    await Bun.sleep(1000)
    isOver = true
  })
  let slowest = 0
  while (!isOver) {
    const started = performance.now()
    expect((await service.fetch('/livez')).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - started)
  }
  return slowest
}

describe('bodies in chunks of one byte', () => {
  test.each([
    ['without a key', head('Transfer-Encoding: chunked')],
    ['with a key', head('Transfer-Encoding: chunked', KEY)],
  ])('%s hold up nobody', async (who, start) => {
    const ms = await slowestLivez(open(4, start + chunks(480_000)))
    measured(`/livez while 4 clients send 480,000 chunks ${who}`, `${ms.toFixed(0)} ms at most`)
    expect(ms).toBeLessThan(500)
  })

  test('take no more memory than their bytes', async () => {
    const before = residentBytes(service.process.pid)
    await open(700, head('Transfer-Encoding: chunked', KEY) + chunks(1900))
    await Bun.sleep(2000)
    const grown = (residentBytes(service.process.pid) - before) / MIB
    measured('700 connections that hold a body of 1,900 chunks', `${grown.toFixed(0)} MiB more`)
    expect(grown).toBeLessThan(100)
    expect((await service.post(petJson({}))).status).toBe(201)
  }, 60_000)
})

test('heads without a body keep nobody from adding an animal', async () => {
  await open(1030, head(KEY, `Content-Length: ${BODY_BYTES}`))
  await open(30, head(KEY, 'Transfer-Encoding: chunked'))
  const statuses: number[] = []
  for (let n = 0; n < 200; n++) statuses.push((await service.post(petJson({}).padEnd(60_000))).status)
  expect(new Set(statuses)).toEqual(new Set([201]))
}, 60_000)

import { dlopen, FFIType } from 'bun:ffi'
import { afterAll, beforeAll, expect, test } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { eventually, freshSqliteUrl } from '../../support/process.ts'
import { Haproxy, needs } from '../../support/programs.ts'
import { type ServiceProcess, startProcess } from '../../support/service.ts'
import { Bystander, KEY } from './support/clients.ts'

const COUNT = 100
const SIPPING_MS = 3000
const [AF_INET, SOCK_STREAM, SOL_SOCKET, SO_RCVBUF, IPPROTO_TCP, TCP_MAXSEG, MSG_DONTWAIT] = [
  2, 1, 1, 8, 6, 2, 64,
]
const { i32, u64, i64_fast, ptr } = FFIType

/** Sockets of the runtime cannot have so small a buffer. */
const { symbols: libc } = dlopen('libc.so.6', {
  socket: { args: [i32, i32, i32], returns: i32 },
  setsockopt: { args: [i32, i32, i32, ptr, i32], returns: i32 },
  connect: { args: [i32, ptr, i32], returns: i32 },
  send: { args: [i32, ptr, u64, i32], returns: u64 },
  recv: { args: [i32, ptr, u64, i32], returns: i64_fast },
  close: { args: [i32], returns: i32 },
})

/** Requests a page on a connection that takes 2 KB at a time, in segments of an ordinary network. */
function ask(url: string): number {
  const port = Number(new URL(url).port)
  const descriptor = libc.socket(AF_INET, SOCK_STREAM, 0)
  libc.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, new Int32Array([2048]), 4)
  libc.setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, new Int32Array([1460]), 4)
  const address = Uint8Array.from([AF_INET, 0, port >> 8, port & 255, 127, 0, 0, 1, ...new Uint8Array(8)])
  if (libc.connect(descriptor, address, address.length) !== 0) throw new Error('No connection')
  const request = Buffer.from(`GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\n${KEY}\r\n\r\n`)
  libc.send(descriptor, request, request.length, 0)
  return descriptor
}

/** Clients that read a little every second, while others must be served. */
async function sipping(url: string, meanwhile: () => Promise<unknown>): Promise<void> {
  const descriptors = Array.from({ length: COUNT }, () => ask(url))
  const buffer = new Uint8Array(1200)
  const timer = setInterval(() => {
    for (const descriptor of descriptors) libc.recv(descriptor, buffer, buffer.length, MSG_DONTWAIT)
  }, 1000)
  const bystander = new Bystander(url)
  await meanwhile().finally(() => clearInterval(timer))
  const { unexpected, p99 } = await bystander.stop()
  for (const descriptor of descriptors) libc.close(descriptor)
  expect(unexpected).toEqual([])
  expect(p99).toBeLessThan(2000)
}

let service: ServiceProcess
beforeAll(async () => {
  service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  // A page of the longest names: 105 KB, more than the kernel buffers at once for a remote client.
  for (let n = 0; n < 100; n++) await service.post(petJson({ name: '😀'.repeat(255) }))
})
afterAll(() => service.discard())

test('who sips a response keeps others from nothing', () => sipping(service.url, () => Bun.sleep(SIPPING_MS)))

needs('haproxy').test('deploy/haproxy.cfg takes such a response off the service at once', async () => {
  const port = Number(new URL(service.url).port)
  const haproxy = await Haproxy.before([port, port, port])
  await sipping(haproxy.url, async () => {
    await eventually('all are connected', async () => (await haproxy.load()).clients >= COUNT || undefined)
    await eventually(
      'the service is free',
      async () => (await haproxy.load()).requests < 50 || undefined,
      10_000,
    )
  }).finally(() => haproxy.stop())
})

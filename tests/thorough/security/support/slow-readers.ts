import { dlopen, FFIType } from 'bun:ffi'
import { API_KEY } from '../../../support/service/service.ts'

const [AF_INET, SOCK_STREAM, SOL_SOCKET, SO_RCVBUF, IPPROTO_TCP, TCP_MAXSEG] = [2, 1, 1, 8, 6, 2] as const
const [MSG_DONTWAIT, MSG_NOSIGNAL] = [0x40, 0x4000] as const
const WINDOW_BYTES = 2048
/** The size on an ordinary network: on loopback, segments are so large that the kernel takes any answer at once. */
const SEGMENT_BYTES = 1460
const SIP_BYTES = 1200

const { i32, u64, ptr } = FFIType
const { symbols: libc } = dlopen('libc.so.6', {
  socket: { args: [i32, i32, i32], returns: i32 },
  setsockopt: { args: [i32, i32, i32, ptr, i32], returns: i32 },
  connect: { args: [i32, ptr, i32], returns: i32 },
  send: { args: [i32, ptr, u64, i32], returns: u64 },
  recv: { args: [i32, ptr, u64, i32], returns: FFIType.i64_fast },
  close: { args: [i32], returns: i32 },
})

/** Clients that request a page and read a little every second, or nothing. Runtime sockets cannot have so small a buffer. */
export class SlowReaders {
  readonly #descriptors: number[]
  readonly #timer: Timer | undefined
  readonly #buffer = new Uint8Array(SIP_BYTES)
  received = 0

  constructor(url: string, count: number, doesSip: boolean) {
    const { port } = new URL(url)
    this.#descriptors = Array.from({ length: count }, () => ask(Number(port)))
    if (doesSip) this.#timer = setInterval(() => this.#sip(), 1000)
  }

  end(): void {
    clearInterval(this.#timer)
    for (const descriptor of this.#descriptors) libc.close(descriptor)
  }

  #sip(): void {
    for (const descriptor of this.#descriptors)
      this.received += Math.max(0, Number(libc.recv(descriptor, this.#buffer, SIP_BYTES, MSG_DONTWAIT)))
  }
}

function ask(port: number): number {
  const descriptor = libc.socket(AF_INET, SOCK_STREAM, 0)
  libc.setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, new Int32Array([WINDOW_BYTES]), 4)
  libc.setsockopt(descriptor, IPPROTO_TCP, TCP_MAXSEG, new Int32Array([SEGMENT_BYTES]), 4)
  // The sockaddr_in of 127.0.0.1: family, port and address.
  const address = Uint8Array.from([AF_INET, 0, port >> 8, port & 255, 127, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0])
  if (libc.connect(descriptor, address, address.length) !== 0) throw new Error('No connection')
  const request = Buffer.from(
    `GET /v1/pets?limit=100 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${API_KEY}\r\n\r\n`,
  )
  libc.send(descriptor, request, request.length, MSG_NOSIGNAL)
  return descriptor
}

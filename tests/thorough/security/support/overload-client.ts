import { connect, type Socket } from 'node:net'

/**
 * `overload-client.ts <url> <key> <requests a second, 0 for as fast as answers come> <seconds> <connections>`: runs as its own
 * process, so that its load does not slow the measurement. Prints its results as JSON.
 */
const [url = '', key = '', rate = '0', seconds = '1', connections = '1'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const body = '{"name":"one of very many","categoryId":7}'
const head = `POST /v1/pets HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json`
const REQUEST = Buffer.from(`${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
const BUCKETS = 20_000

/** Counts by millisecond, for each status. */
const times = new Map<number, Uint32Array>()
const idle: Peer[] = []
let broken = 0
let sent = 0
let isOver = false

class Peer {
  readonly #socket: Socket
  #since = 0
  #received = ''

  constructor(onOpen: () => void) {
    this.#socket = connect(Number(port), hostname, onOpen)
    this.#socket.setNoDelay(true)
    this.#socket.on('data', chunk => this.#read(chunk.toString('latin1')))
    this.#socket.on('error', () => {})
    this.#socket.on('close', () => {
      if (!isOver) broken++
    })
  }

  send(): void {
    sent++
    this.#since = performance.now()
    this.#socket.write(REQUEST)
  }

  end(): void {
    this.#socket.destroy()
  }

  #read(text: string): void {
    this.#received += text
    const end = this.#received.indexOf('\r\n\r\n')
    if (end === -1) return
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0)
    if (this.#received.length < end + 4 + length) return
    const status = Number(this.#received.slice(9, 12))
    this.#received = ''
    const buckets = times.get(status) ?? new Uint32Array(BUCKETS)
    times.set(status, buckets)
    const bucket = Math.min(BUCKETS - 1, Math.round(performance.now() - this.#since))
    buckets[bucket] = (buckets[bucket] as number) + 1
    if (Number(rate) === 0 && !isOver) this.send()
    else idle.push(this)
  }
}

const peers: Peer[] = []
await Promise.all(
  Array.from({ length: Number(connections) }, () => new Promise<void>(open => peers.push(new Peer(open)))),
)
const started = performance.now()
const elapsed = (): number => (performance.now() - started) / 1000
if (Number(rate) === 0) for (const peer of peers) peer.send()
else idle.push(...peers)
while (elapsed() < Number(seconds)) {
  for (let due = elapsed() * Number(rate) - sent; due >= 1 && idle.length > 0; due--) idle.shift()?.send()
  await Bun.sleep(1)
}
isOver = true
const spent = elapsed()
for (let wait = 0; wait < 300 && idle.length + broken < peers.length; wait++) await Bun.sleep(10)
for (const peer of peers) peer.end()

const quantile = (buckets: Uint32Array, part: number): number => {
  let left = buckets.reduce((sum, count) => sum + count, 0) * part
  return buckets.findIndex(count => {
    left -= count
    return left <= 0
  })
}
const statuses = Object.fromEntries(
  [...times].map(([status, buckets]) => [
    status,
    {
      count: buckets.reduce((sum, count) => sum + count, 0),
      p50: quantile(buckets, 0.5),
      p99: quantile(buckets, 0.99),
    },
  ]),
)
process.stdout.write(
  JSON.stringify({ sentPerSecond: Math.round(sent / spent), seconds: spent, broken, statuses }),
)
process.exit(0)

import { connect, createServer, type Server, type Socket } from 'node:net'

/** A link to a port that can stop carrying data in both directions, like a cut cable. */
export class TcpProxy {
  #target: number
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #isHanging = false

  private constructor(target: number) {
    this.#target = target
    this.#server = createServer(socket => this.#carry(socket))
  }

  static async to(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy(target)
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    const address = this.#server.address()
    if (typeof address !== 'object' || address === null) throw new Error('The proxy does not listen')
    return address.port
  }

  hang(): void {
    this.#isHanging = true
    for (const socket of this.#sockets) socket.pause()
  }

  /** Delivers what was held back. */
  resume(): void {
    this.#isHanging = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Forwards to another port from now on; closes open connections. */
  leadTo(target: number): void {
    this.#target = target
    this.#cut()
  }

  close(): void {
    this.#server.close()
    this.#cut()
  }

  #cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #carry(client: Socket): void {
    const server = connect(this.#target, '127.0.0.1')
    this.#join(client, server)
    this.#join(server, client)
  }

  #join(from: Socket, to: Socket): void {
    this.#sockets.add(from)
    if (this.#isHanging) from.pause()
    from.on('data', chunk => to.write(chunk))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
  }
}

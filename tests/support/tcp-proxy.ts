import { connect, createServer, type Server, type Socket } from 'node:net'

/** A link to a port that can stop carrying data in both directions, like a cut cable. */
export class TcpProxy {
  #target = 0
  readonly #server: Server = createServer(client => {
    const server = connect(this.#target, '127.0.0.1')
    this.#join(client, server)
    this.#join(server, client, answer => this.loses(answer))
  })
  readonly #sockets = new Set<Socket>()
  #isHanging = false
  /** Which answers are lost: the connection to the client closes instead. */
  loses: (answer: Buffer | string) => boolean = () => false

  static async to(target: number): Promise<TcpProxy> {
    const proxy = new TcpProxy()
    proxy.#target = target
    await new Promise<void>(resolve => proxy.#server.listen(0, '127.0.0.1', resolve))
    return proxy
  }

  get port(): number {
    return (this.#server.address() as { port: number }).port
  }

  get connections(): number {
    return this.#sockets.size / 2
  }

  hang(): void {
    this.#isHanging = true
    for (const socket of this.#sockets) socket.pause()
  }

  resume(): void {
    this.#isHanging = false
    for (const socket of this.#sockets) socket.resume()
  }

  /** Forwards to another port from now on; closes open connections. */
  leadTo(target: number): void {
    this.#target = target
    for (const socket of this.#sockets) socket.destroy()
  }

  close(): void {
    this.#server.close()
    this.leadTo(0)
  }

  [Symbol.dispose](): void {
    this.close()
  }

  #join(from: Socket, to: Socket, loses: TcpProxy['loses'] = () => false): void {
    this.#sockets.add(from)
    if (this.#isHanging) from.pause()
    from.on('data', chunk => (loses(chunk) ? to.destroy() : to.write(chunk)))
    from.on('error', () => to.destroy())
    from.on('close', () => {
      this.#sockets.delete(from)
      to.destroy()
    })
  }
}

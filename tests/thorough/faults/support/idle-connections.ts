import type { Socket } from 'bun'

/** Connections that send nothing, or one request and then nothing. */
export class IdleConnections {
  readonly #sockets: Socket<undefined>[] = []
  opened = 0
  closed = 0

  /** Opens `count` connections, a few hundred at a time. */
  async open(url: string, count: number, first = ''): Promise<void> {
    const { hostname, port } = new URL(url)
    for (let left = count; left > 0; left -= 250)
      await Promise.all(
        Array.from({ length: Math.min(left, 250) }, () => this.#open(hostname, Number(port), first)),
      )
  }

  end(): void {
    for (const socket of this.#sockets) socket.terminate()
  }

  async #open(hostname: string, port: number, first: string): Promise<void> {
    const socket = await Bun.connect({
      hostname,
      port,
      socket: {
        data: () => {},
        error: () => {},
        close: () => {
          this.closed++
        },
      },
    })
    this.opened++
    if (first !== '') socket.write(first)
    this.#sockets.push(socket)
  }
}

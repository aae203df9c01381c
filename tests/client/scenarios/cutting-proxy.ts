import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Forwards to a server, but cuts the connection instead of delivering the first answers. */
export async function withCuttingProxy(
  server: string,
  cuts: number,
  use: (proxy: { baseUrl: string; cut: () => number }) => Promise<void>,
): Promise<void> {
  const { hostname, port, pathname } = new URL(server)
  const sockets = new Set<Socket>()
  let cut = 0
  const proxy = createServer(caller => {
    const service = connect(Number(port), hostname)
    for (const socket of [caller, service]) sockets.add(socket.on('error', () => socket.destroy()))
    caller.pipe(service)
    // Once the answer arrives, the service has committed.
    service.on('data', bytes => {
      if (cut >= cuts) return caller.write(bytes)
      cut++
      caller.destroy()
      return service.destroy()
    })
    service.on('close', () => caller.destroy())
  })
  await new Promise<void>(resolve => proxy.listen(0, '127.0.0.1', resolve))
  try {
    const { port: own } = proxy.address() as AddressInfo
    await use({ baseUrl: `http://127.0.0.1:${own}${pathname}`, cut: () => cut })
  } finally {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  }
}

import { connect } from 'node:net'

/**
 * `pipeliner.ts <url> <request> <connections>` sends a request over and over, as fast as the service reads it; a closed connection is
 * opened again. A process of its own: one that also measures would slow down itself.
 */
const [url = '', request = '', connections = '1'] = process.argv.slice(2)
const { hostname, port } = new URL(url)
const batch = Buffer.from(request.repeat(Math.ceil((64 * 1024) / request.length)))

function open(): void {
  const socket = connect(Number(port), hostname)
  const send = (): void => {
    while (socket.write(batch));
  }
  socket.on('connect', send).on('drain', send).on('close', open)
  socket.on('error', () => {}).resume()
}
for (let n = 0; n < Number(connections); n++) open()

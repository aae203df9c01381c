import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { isReplaced } from '../../file/identity.ts'
import { answering, type Methods } from '../../thread/serve-calls.ts'
import type { FromThread, ToThread } from '../../thread/thread.ts'
import { FrameReader, frameOf } from './frames.ts'

/** How long to wait for other processes to receive their last answers. */
const LEAVE_MS = 1000

interface Shared {
  readonly socket: string
  /** The file that this process writes. */
  readonly file: string
  readonly methods: Methods
}

/** Runs in the thread that writes: answers calls of other processes through a socket. The returned function ends that. */
export function shareWriter({ socket: path, file, methods }: Shared): () => Promise<void> {
  const clients = new Set<Socket>()
  // Only this process opens and closes the database; the others merely connect and disconnect.
  const open = (name: unknown, wanted: unknown): Methods => {
    // Nothing may be written to another file than the one that the caller reads.
    if (wanted !== file) throw isReplaced(String(name))
    return { ...methods, close: () => {} }
  }
  const server = createServer(socket => {
    const frames = new FrameReader<ToThread>()
    const post = (message: FromThread): void => void socket.write(frameOf(message))
    const answer = answering(open, post)
    clients.add(socket)
    socket.on('data', chunk => {
      for (const call of frames.read(chunk as Buffer)) answer(call)
    })
    socket.on('error', () => {})
    socket.on('close', () => clients.delete(socket))
  })
  // A killed writer leaves its socket behind. Holding the lock proves that it is gone.
  rmSync(path, { force: true })
  server.listen(path)

  return async () => {
    server.close()
    for (const socket of clients) socket.write(frameOf([0, 'leaving'] satisfies FromThread))
    const end = performance.now() + LEAVE_MS
    while (clients.size > 0 && performance.now() < end) await Bun.sleep(1)
    for (const socket of clients) socket.destroy()
  }
}

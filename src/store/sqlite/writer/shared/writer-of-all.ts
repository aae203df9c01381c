import { connect as connectTo } from 'node:net'
import { dirname } from 'node:path'
import { lockPath } from '../../../../files/lock.ts'
import { keepPrivateFolder } from '../../../../files/private.ts'
import type { FromThread, StartThread, Thread, ThreadListener, ToThread } from '../../thread/thread.ts'
import { FrameReader, frameOf } from './frames.ts'

const LOOK_AGAIN_MS = 3

/** How several processes find the one that writes. */
export class SharedWriter {
  readonly #socket: string
  readonly #startHere: StartThread
  /** Whether this process writes for all. */
  isHere = false

  constructor(socket: string, startHere: StartThread) {
    this.#socket = socket
    this.#startHere = startHere
  }

  /** Finds the writer, or becomes it. Messages posted meanwhile wait until it is found. */
  readonly start: StartThread = listener => {
    const waiting: ToThread[] = []
    let found: Thread | undefined
    let isOver = false
    const find = async (): Promise<void> => {
      while (!isOver) {
        // A cleaner of temporary files may have removed it, and another user may have put a folder of theirs there.
        keepPrivateFolder(dirname(this.#socket))
        const thread = (await connect(this.#socket, listener)) ?? this.#host(listener)
        if (thread === undefined) await Bun.sleep(LOOK_AGAIN_MS)
        else if (isOver) return thread.terminate()
        else {
          for (const message of waiting) thread.postMessage(message)
          found = thread
          return
        }
      }
    }
    find().catch((cause: unknown) => listener.lost(`cannot be found: ${cause}`))
    return {
      postMessage: message => {
        if (found === undefined) waiting.push(message)
        else found.postMessage(message)
      },
      terminate: () => {
        isOver = true
        found?.terminate()
      },
    }
  }

  /** Undefined if another process is about to write. The lock is released when this process ends, if not before. */
  #host(listener: ThreadListener): Thread | undefined {
    const lock = lockPath(this.#socket)
    if (lock === undefined) return undefined
    this.isHere = true
    let isHeld = true
    const thread = this.#startHere(listener)
    return {
      postMessage: message => thread.postMessage(message),
      terminate: () => {
        thread.terminate()
        // It may be terminated again when the next one already writes here, under a lock of its own.
        if (!isHeld) return
        isHeld = false
        this.isHere = false
        lock[Symbol.dispose]()
      },
    }
  }
}

/** The writer in another process; undefined if none listens. */
function connect(path: string, { message: receive, lost }: ThreadListener): Promise<Thread | undefined> {
  const { promise, resolve } = Promise.withResolvers<Thread | undefined>()
  const frames = new FrameReader<FromThread>()
  let unanswered = 0
  let isLeaving = false
  const socket = connectTo(path)
  socket.on('connect', () => {
    socket.on('close', () => lost('of another process ended'))
    resolve({
      postMessage: message => {
        unanswered++
        socket.write(frameOf(message))
      },
      terminate: () => socket.destroy(),
    })
  })
  socket.on('data', chunk => {
    for (const message of frames.read(chunk as Buffer)) {
      if (message[1] === 'leaving') isLeaving = true
      else unanswered--
      receive(message)
    }
    if (isLeaving && unanswered === 0) socket.end()
  })
  // Before the connection is made, an error means that no process listens; later ones are followed by `close`.
  socket.on('error', () => resolve(undefined))
  return promise
}

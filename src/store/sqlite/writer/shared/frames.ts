import { deserialize, serialize } from 'node:v8'

const LENGTH_BYTES = 4

/** A message on a stream, preceded by its length. It may contain anything that can be sent to a thread, such as dates. */
export function frameOf(message: unknown): Buffer {
  const body = serialize(message)
  const frame = Buffer.allocUnsafe(LENGTH_BYTES + body.length)
  frame.writeUInt32LE(body.length)
  frame.set(body, LENGTH_BYTES)
  return frame
}

/** Splits a stream into complete messages. */
export class FrameReader<Message> {
  #rest: Buffer = Buffer.alloc(0)

  read(chunk: Buffer): Message[] {
    const complete: Message[] = []
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (this.#rest.length >= LENGTH_BYTES) {
      const end = LENGTH_BYTES + this.#rest.readUInt32LE()
      if (this.#rest.length < end) break
      complete.push(deserialize(this.#rest.subarray(LENGTH_BYTES, end)) as Message)
      this.#rest = this.#rest.subarray(end)
    }
    return complete
  }
}

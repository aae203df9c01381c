import { InvalidInput, OperatorError } from '../../operator-error.ts'
import { PIPE } from '../../transfer/formats/index.ts'

export interface Input {
  /** Undefined for a pipe. */
  readonly size: number | undefined
  readonly bytes: AsyncIterable<Uint8Array>
}

/** A file, or standard input for `-`. */
export async function inputOf(path: string): Promise<Input> {
  if (path === PIPE) return { size: undefined, bytes: Bun.stdin.stream() }
  const file = Bun.file(path)
  const stat = await file.stat().catch(() => undefined)
  if (stat === undefined) throw new OperatorError(`There is no file ${path}.`, { exit: 'missing' })
  if (stat.isDirectory()) throw new InvalidInput(`${path} is a folder.`)
  // A named pipe has no size that means anything.
  return { size: stat.isFile() ? stat.size : undefined, bytes: file.stream() }
}

export async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    onBytes(chunk.length)
    yield chunk
  }
}

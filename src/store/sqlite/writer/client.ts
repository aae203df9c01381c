import type { Patience } from '../../patience.ts'
import { outcomeUnknown } from '../../unavailable.ts'
import { ThreadClient, type ThreadOptions } from '../thread/client.ts'
import { type StartThread, threadOf } from '../thread/thread.ts'
import type { SqliteWriter } from './writer.ts'

interface WriterOptions extends Pick<ThreadOptions, 'onDamage' | 'onStall'> {
  readonly path: string
  /** The file that was opened at the path. */
  readonly file: string
  readonly patience: Patience
  /** The socket through which other processes use this writer, if it is shared. */
  readonly socket?: string | undefined
  readonly start?: StartThread | undefined
}

export type WriterClient = ThreadClient<SqliteWriter>

export const startWriter = threadOf('store/sqlite/writer/writer-thread.ts')

export const writerClient = ({
  path,
  file,
  patience,
  socket,
  start,
  ...listeners
}: WriterOptions): WriterClient =>
  new ThreadClient({
    ...listeners,
    name: 'writer',
    start: start ?? startWriter,
    open: [path, file, patience.lockMs, socket],
    deadlineMs: patience.deadlineMs,
    // A call that was begun may or may not be on disk.
    unanswered: outcomeUnknown,
  })

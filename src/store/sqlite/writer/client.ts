import type { Patience } from '../../patience.ts'
import { outcomeUnknown } from '../../unavailable.ts'
import { ThreadClient, type ThreadOptions } from '../thread/client.ts'
import { type StartThread, threadOf } from '../thread/thread.ts'
import type { SqliteWriter } from './writer.ts'

interface WriterOptions extends Pick<ThreadOptions, 'onDamage' | 'onStall'> {
  readonly path: string
  readonly patience: Patience
  /** Through which other processes use this writer, if it is to be shared. */
  readonly socket?: string | undefined
  readonly start?: StartThread | undefined
}

export type WriterClient = ThreadClient<SqliteWriter>

export const startWriter = threadOf('store/sqlite/writer/writer-thread.ts')

export const writerClient = ({ path, patience, socket, start, ...listeners }: WriterOptions): WriterClient =>
  new ThreadClient({
    ...listeners,
    name: 'writer',
    start: start ?? startWriter,
    open: [path, patience.lockMs, socket],
    deadlineMs: patience.deadlineMs,
    // Whether a call that it had begun is on the disk is not known.
    unanswered: outcomeUnknown,
  })

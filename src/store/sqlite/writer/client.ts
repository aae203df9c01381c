import { startThread } from '../../../thread.ts'
import type { Patience } from '../../patience.ts'
import { outcomeUnknown } from '../../unavailable.ts'
import { ThreadClient, type ThreadOptions } from '../thread/client.ts'
import type { SqliteWriter } from './writer.ts'

interface WriterOptions extends Pick<ThreadOptions, 'onDamage' | 'onStall'> {
  readonly path: string
  readonly patience: Patience
  readonly start?: () => Worker
}

export type WriterClient = ThreadClient<SqliteWriter>

export const writerClient = ({ path, patience, start, ...listeners }: WriterOptions): WriterClient =>
  new ThreadClient({
    ...listeners,
    name: 'writer',
    start: start ?? (() => startThread('store/sqlite/writer/writer-thread.ts')),
    open: [path, patience.lockMs],
    deadlineMs: patience.deadlineMs,
    // Whether a call that it had begun is on the disk is not known.
    unanswered: outcomeUnknown,
  })

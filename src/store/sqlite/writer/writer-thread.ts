import { Condition } from '../file/condition.ts'
import { openDatabase } from '../file/database.ts'
import { cannotAnswer, isDamage } from '../file/failures.ts'
import { FileIdentity } from '../file/identity.ts'
import { guardedWrites } from './guarded-writes.ts'
import { writeTransactions } from './write-transactions.ts'
import { type SqliteWriter, sqliteWriter } from './writer.ts'

declare const self: Worker

export type WriterMethod = keyof SqliteWriter

/** Flat arrays of plain values: the runtime hands those over without walking through them. */
export type ToWriter = readonly [
  id: number,
  method: WriterMethod | 'open' | 'close',
  ...args: readonly unknown[],
]
export type FromWriter =
  | readonly [id: number, outcome: 'done', value: unknown]
  | readonly [id: number, outcome: 'cannot-answer' | 'damaged' | 'not-open' | 'failed', message: string]

type Call = (...args: readonly unknown[]) => unknown

/** The thread that waits for the disk, so that reads do not. */
function serveWrites(): void {
  let methods: Partial<Record<string, Call>> = { open }

  function open(path: unknown, lockMs: unknown): void {
    const database = openDatabase(String(path))
    const guard = guardedWrites(database, new Condition(new FileIdentity(String(path), database)))
    const transaction = writeTransactions(database, Number(lockMs))
    const writer = Object.entries(sqliteWriter(database, transaction)) as unknown as [string, Call][]
    methods = {
      ...Object.fromEntries(writer.map(([name, write]) => [name, (...args) => guard(() => write(...args))])),
      close: () => database.close(),
    }
  }

  self.onmessage = ({ data: [id, method, ...args] }: MessageEvent<ToWriter>) => {
    try {
      post([id, 'done', methods[method]?.(...args)])
    } catch (error) {
      const kind = isDamage(error) ? 'damaged' : cannotAnswer(error) ? 'cannot-answer' : 'failed'
      post([id, kind, String(error)])
      if (method === 'open') post([id, 'not-open', String(error)])
    }
  }
}

const post = (message: FromWriter): void => self.postMessage(message)

serveWrites()

import { openDatabase } from './database.ts'
import { cannotAnswer } from './failures.ts'
import { type SqliteWriter, sqliteWriter } from './writer.ts'

declare const self: Worker

export type WriterMethod = keyof SqliteWriter

export type ToWriter =
  | { readonly kind: 'open'; readonly path: string }
  | {
      readonly kind: 'call'
      readonly id: number
      readonly method: WriterMethod
      readonly args: readonly unknown[]
    }
  | { readonly kind: 'close' }

export type FromWriter =
  | { readonly kind: 'closed' }
  | { readonly kind: 'done'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly cannotAnswer: boolean; readonly message: string }

/** The thread that waits for the disk, so that reads do not. */
function serveWrites(): void {
  let close = () => {}
  let call: ((method: WriterMethod, args: readonly unknown[]) => unknown) | undefined

  self.onmessage = ({ data }: MessageEvent<ToWriter>) => {
    if (data.kind === 'open') {
      const database = openDatabase(data.path)
      const writer = sqliteWriter(database)
      call = (method, args) => (writer[method] as (...args: readonly unknown[]) => unknown)(...args)
      close = () => database.close()
    } else if (data.kind === 'close') {
      close()
      post({ kind: 'closed' })
    } else {
      try {
        post({ kind: 'done', id: data.id, value: call?.(data.method, data.args) })
      } catch (error) {
        post({ kind: 'failed', id: data.id, cannotAnswer: cannotAnswer(error), message: String(error) })
      }
    }
  }
}

const post = (message: FromWriter): void => self.postMessage(message)

serveWrites()

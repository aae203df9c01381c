import type { Event } from '../../observability/events.ts'
import { codeOf, messageOf } from '../../operator-error.ts'
import { OutcomeUnknown, StorageUnavailable, type Trouble } from '../errors.ts'
import { troubleOf } from './database-files.ts'
import { isDamage } from './sqlite-errors.ts'
import { type Call, type Done, openWriter, type Result, type WriterOptions } from './writer.ts'

/** The writer thread. It serves calls from all threads. Waiting calls share one transaction and therefore one sync. */
declare const self: Worker

export type ToWriter = readonly [id: number, ...Call]
/** If a transaction added animals, one of its responses carries the event. */
export type FromWriter =
  | readonly [id: number, 'done', result: Result, stored: Event | undefined]
  | readonly [id: number, Failure, message: string, code: string, Trouble | undefined]
type Failure = 'unavailable' | 'unknown' | 'failed'

interface WaitingCall {
  readonly port: MessagePort
  readonly id: number
  readonly call: Call
}

let options: WriterOptions
/** Opened by the first call, or by the next one if that fails. */
let writer: ReturnType<typeof openWriter> | undefined
const waiting: WaitingCall[] = []
/** Remembered, because SQLite may not detect it again. From then on every call fails, whichever thread makes it. */
let damage: StorageUnavailable | undefined

/** The main thread sends the options, then a port for each thread that writes, and finally `close`. */
self.onmessage = ({ data }: MessageEvent<WriterOptions | MessagePort | 'close'>) => {
  if (data instanceof MessagePort) serve(data)
  else if (data !== 'close') options = data
  else {
    writer?.close()
    self.postMessage('closed')
  }
}

function serve(port: MessagePort): void {
  port.onmessage = ({ data: [id, ...call] }: { data: ToWriter }) => {
    if (call[0] === 'reportDamage') rememberDamage(call[1])
    // One turn of the event loop lets calls that arrived together, from any thread, share the transaction.
    if (waiting.push({ port, id, call }) === 1) setImmediate(() => run(waiting.splice(0)))
  }
}

/** Runs calls in one transaction and sends their results. */
function run(calls: readonly WaitingCall[]): void {
  let done: Done
  try {
    if (damage !== undefined) throw damage
    writer ??= openWriter(options)
    done = writer.run(calls.map(({ call }) => call))
  } catch (error) {
    fail(calls, error)
    return
  }
  // The transaction is committed: nothing that fails from here on may lead to another attempt.
  const { results, stored } = done
  for (const [index, { port, id }] of calls.entries())
    port.postMessage([id, 'done', results[index], index === 0 ? stored : undefined] satisfies FromWriter)
}

function fail(calls: readonly WaitingCall[], error: unknown): void {
  if (isDamage(error)) rememberDamage(error.message)
  const reason = error instanceof StorageUnavailable ? error.cause : error
  const trouble = troubleOf(error, options.path)
  // One bad call fails the whole transaction, so each call is retried alone.
  if (!trouble && calls.length > 1) {
    for (const call of calls) run([call])
    return
  }
  const isInDoubt = error instanceof OutcomeUnknown
  const failure = isInDoubt ? 'unknown' : trouble ? 'unavailable' : 'failed'
  for (const { port, id } of calls)
    port.postMessage([id, failure, messageOf(reason), codeOf(reason), trouble] satisfies FromWriter)
}

function rememberDamage(reason: string): void {
  const advice = 'Restore it from a backup and restart the service.'
  const problem = `The database ${options.path} is damaged (${reason}). ${advice}`
  damage ??= new StorageUnavailable(problem, 'damaged')
}

/** A line of strace that matters for durability: the moment when a call began, or when it returned. */
export interface Moment {
  readonly kind: 'written' | 'syncing' | 'synced' | 'sent'
  /** The file that is written or synced. */
  readonly file?: 'log' | 'database'
  readonly thread: string
  readonly text: string
}

const LINE = /^(\d+) +(?:(\w+)\((.*)|<\.\.\. (\w+) resumed>(.*))$/s
const RESULT = /\)\s+= (-?\d+)/
const LOG_FILE = /^\d+<[^>]*-wal>/
const DATABASE_FILE = /^\d+<[^>]*\.db>/
const SOCKET = /^\d+<(?:socket|TCP|TCPv6):/
const SENDING = new Set(['write', 'writev', 'sendto', 'sendmsg'])
const SYNCING = new Set(['fsync', 'fdatasync'])

const fileOf = (args: string): Moment['file'] =>
  LOG_FILE.test(args) ? 'log' : DATABASE_FILE.test(args) ? 'database' : undefined

/**
 * The moments of a trace (`strace -f -y`), in order. A send counts when it begins. A sync covers what was written before it
 * began, and counts when it has succeeded.
 */
export function* moments(lines: Iterable<string>): Generator<Moment> {
  /** The call that each thread has begun and not finished. */
  const unfinished = new Map<string, { call: string; args: string }>()
  for (const line of lines) {
    const [, thread = '', call, args = '', resumed, rest = ''] = LINE.exec(line) ?? []
    if (call !== undefined) {
      if (args.endsWith('<unfinished ...>')) unfinished.set(thread, { call, args })
      const file = fileOf(args)
      const moment = { thread, text: args, ...(file && { file }) }
      if (call === 'pwrite64' && file) yield { kind: 'written', ...moment }
      if (SENDING.has(call) && SOCKET.test(args)) yield { kind: 'sent', ...moment }
      if (SYNCING.has(call) && file) yield { kind: 'syncing', ...moment }
      if (SYNCING.has(call) && file && hasSucceeded(args)) yield { kind: 'synced', ...moment }
    } else if (resumed !== undefined) {
      const begun = unfinished.get(thread)
      unfinished.delete(thread)
      const file = begun && fileOf(begun.args)
      if (begun && file && SYNCING.has(begun.call) && hasSucceeded(rest))
        yield { kind: 'synced', file, thread, text: begun.args }
    }
  }
}

const hasSucceeded = (result: string): boolean => RESULT.exec(result)?.[1] === '0'

const NAME = /animal-\d+\./g
const CREATED = /^\d+<[^>]*>, "HTTP\/1\.1 201 /

/** The acknowledged animals, and those acknowledged before the log that holds them was synced. */
export function acknowledgedTooEarly(lines: Iterable<string>): { acknowledged: string[]; early: string[] } {
  const durable = new Set<string>()
  const acknowledged: string[] = []
  const early: string[] = []
  const written = new Unsynced<string>()
  for (const { kind, file, thread, text } of moments(lines)) {
    if (kind === 'sent' && CREATED.test(text))
      for (const name of new Set(text.match(NAME))) {
        acknowledged.push(name)
        if (!durable.has(name)) early.push(name)
      }
    if (file !== 'log') continue
    if (kind === 'written') written.add(text.match(NAME) ?? [])
    if (kind === 'syncing') written.begin(thread)
    if (kind === 'synced') for (const name of written.end(thread)) durable.add(name)
  }
  return { acknowledged, early }
}

/** Matches a write of the log's header, which restarts the log. */
const FIRST_OF_LOG = /, 32, 0\) /

/** How often the log restarted, and how often before everything copied from it to the database was synced. */
export function overwrittenTooEarly(lines: Iterable<string>): { begunAnew: number; early: number } {
  const copied = new Unsynced<string>()
  let begunAnew = 0
  let early = 0
  for (const { kind, file, thread, text } of moments(lines)) {
    if (file === 'log' && kind === 'written' && FIRST_OF_LOG.test(text)) {
      begunAnew++
      if (copied.count > 0) early++
    }
    if (file !== 'database') continue
    if (kind === 'written') copied.add([text])
    if (kind === 'syncing') copied.begin(thread)
    if (kind === 'synced') copied.end(thread)
  }
  return { begunAnew, early }
}

/** What was written and not synced yet. Threads sync concurrently, and each sync covers what was written before it began. */
class Unsynced<Thing> {
  readonly #things: Thing[] = []
  /** For each thread in a sync, the number of writes that the sync covers. */
  readonly #syncing = new Map<string, number>()

  get count(): number {
    return this.#things.length
  }

  add(things: readonly Thing[]): void {
    this.#things.push(...things)
  }

  begin(thread: string): void {
    this.#syncing.set(thread, this.#things.length)
  }

  end(thread: string): Thing[] {
    const covered = this.#syncing.get(thread) ?? 0
    for (const [other, count] of this.#syncing) this.#syncing.set(other, Math.max(0, count - covered))
    return this.#things.splice(0, covered)
  }
}

/** One line of strace that matters for durability: either the moment a call began, or the moment it had its result. */
export interface Moment {
  readonly kind: 'written' | 'syncing' | 'synced' | 'sent'
  readonly text: string
}

const LINE = /^(\d+) +(?:(\w+)\((.*)|<\.\.\. (\w+) resumed>(.*))$/s
const RESULT = /\)\s+= (-?\d+)/
const LOG_FILE = /^\d+<[^>]*-wal>/
const SOCKET = /^\d+<(?:socket|TCP|TCPv6):/
const SENDING = new Set(['write', 'writev', 'sendto', 'sendmsg'])
const SYNCING = new Set(['fsync', 'fdatasync'])

/**
 * The moments of a trace (`strace -f -y`), in the order in which they happened. A sending counts when it begins; a sync covers
 * what was written before it began, and counts when it has succeeded.
 */
export function* moments(lines: Iterable<string>): Generator<Moment> {
  /** What each thread has begun and not finished. */
  const unfinished = new Map<string, { call: string; args: string }>()
  for (const line of lines) {
    const [, thread = '', call, args = '', resumed, rest = ''] = LINE.exec(line) ?? []
    if (call !== undefined) {
      if (args.endsWith('<unfinished ...>')) unfinished.set(thread, { call, args })
      if (call === 'pwrite64' && LOG_FILE.test(args)) yield { kind: 'written', text: args }
      if (SENDING.has(call) && SOCKET.test(args)) yield { kind: 'sent', text: args }
      if (SYNCING.has(call) && LOG_FILE.test(args)) yield { kind: 'syncing', text: args }
      if (isSynced(call, args, args)) yield { kind: 'synced', text: args }
    } else if (resumed !== undefined) {
      const begun = unfinished.get(thread)
      unfinished.delete(thread)
      if (begun !== undefined && isSynced(begun.call, begun.args, rest))
        yield { kind: 'synced', text: begun.args }
    }
  }
}

const isSynced = (call: string, args: string, result: string): boolean =>
  SYNCING.has(call) && LOG_FILE.test(args) && RESULT.exec(result)?.[1] === '0'

const NAME = /animal-\d+\./g
const CREATED = /^\d+<[^>]*>, "HTTP\/1\.1 201 /

/** Which animals were acknowledged, and which of them before the log that holds them was synced. */
export function acknowledgedTooEarly(lines: Iterable<string>): { acknowledged: string[]; early: string[] } {
  const durable = new Set<string>()
  const acknowledged: string[] = []
  const early: string[] = []
  let written = new Set<string>()
  let syncing = new Set<string>()
  for (const { kind, text } of moments(lines)) {
    if (kind === 'written') for (const name of text.match(NAME) ?? []) written.add(name)
    if (kind === 'syncing') {
      syncing = written
      written = new Set()
    }
    if (kind === 'synced') for (const name of syncing) durable.add(name)
    if (kind === 'sent' && CREATED.test(text))
      for (const name of new Set(text.match(NAME))) {
        acknowledged.push(name)
        if (!durable.has(name)) early.push(name)
      }
  }
  return { acknowledged, early }
}

import { BatchedQuery } from '../batched-query.ts'
import type { Opening, ThreadLink } from '../engine.ts'
import { StorageUnavailable } from '../errors.ts'
import { commitLimits, GroupCommit } from '../group-commit.ts'
import type { Added, Addition, PageQuery, Store, StoredPage } from '../store.ts'
import { lastBackupAt } from './backup.ts'
import { assertInPlace, logBytes, openedFiles } from './file-check.ts'
import { metaValue, openFile, type SqliteLocation } from './open.ts'
import { addedPets, type BatchOutcome, encodeBatch } from './pet-rows.ts'
import { ReadsPerTurn, readsOf, StoreRevision } from './reads.ts'
import { FileFault, fileCannotAnswer, isDamage } from './sqlite-errors.ts'
import { WriterClient } from './writer-client.ts'
import { WriterThread } from './writer-thread.ts'

/** With only one batch in flight per thread, callers of several threads would queue twice: here, and for another thread's batch. */
const inFlightOf = (threads: number): number => (threads === 1 ? 1 : 4)

/** Identifies the connection of the main thread to the writer; those of listeners have their index. */
const OWN = -1
/** The revision of a page that has a next page. */
const NEVER_CHANGES = 0n

/** A service must respond within 5 seconds; a command can wait longer. */
const TIMEOUTS = {
  service: { lockMs: 2000, deadlineMs: 4000 },
  command: { lockMs: 8000, deadlineMs: 10_000 },
}

/**
 * The embedded store: one file. Reads run in the thread that opened it and never wait for a write. Writes run in the writer thread,
 * which all threads of a process share, so that a disk that hangs during a sync blocks only their callers, and not for long.
 */
export async function openSqliteStore(
  location: SqliteLocation,
  { create, observe = () => {}, caller = 'command', turn = everyCall(), thread }: Opening,
): Promise<Store> {
  const { path } = location.database
  const database = openFile(location, create)
  const files = openedFiles(path)
  const health = healthOf(path, message => void writer.call('noteDamage', message).catch(() => {}))
  const reads = readsOf(database)
  const perTurn = new ReadsPerTurn(database, turn)
  const revision = new StoreRevision(database)
  const threads = thread?.count ?? 1
  const { lockMs, deadlineMs } = TIMEOUTS[caller]
  const writerThread = thread ? undefined : new WriterThread({ path, files, lockMs }, observe)
  const connectWriter = writerThread?.connect.bind(writerThread)
  const writer = new WriterClient({
    connect: async onEnded => connectWriter?.(OWN, onEnded) ?? (thread as ThreadLink).connectWriter(onEnded),
    deadlineMs,
    onStored: ([size, durationMs, commitMs]) => observe({ kind: 'batch-stored', size, durationMs, commitMs }),
    onDamage: health.noteDamage,
    onStalled: () => observe({ kind: 'storage-stalled' }),
    onRecovered: afterMs => observe({ kind: 'storage-recovered', afterMs }),
  })
  const additions = new GroupCommit<Addition, Added>(
    async batch => {
      const outcome = JSON.parse(await writer.call('addPets', ...encodeBatch(batch))) as BatchOutcome
      return addedPets(batch, outcome)
    },
    commitLimits(threads, inFlightOf(threads)),
  )
  function readPage(query: PageQuery): StoredPage {
    const page = reads.listPets(query)
    if (page.more) return { revision: NEVER_CHANGES, ...page }
    // The revision is read first, so that an animal added before the page is read can only make the page look older than it is.
    return { revision: revision.current(), ...reads.listPets(query) }
  }
  const ready = new BatchedQuery(() => writer.call('ping'))
  // A disk that hangs must not keep the service from reporting it.
  if (caller === 'service') await ready.ask().catch(() => {})

  return {
    environment: location.environment,
    connectWriter,
    cursorSecret: String(metaValue(database, 'cursor_secret')),
    keys: {
      add: key => writer.call('addKey', key),
      list: () => health.reading(reads.listKeys),
      find: hash => health.reading(() => reads.findKey(hash)),
      revoke: (id, at) => writer.call('revokeKey', id, at),
      recordUses: uses => writer.call('recordKeyUses', uses),
    },
    state: () => ({
      engine: 'sqlite',
      waiting: additions.waiting,
      isStalled: writer.isStalled,
      logBytes: logBytes(path),
      lastBackupAt: health.orUndefined(() => lastBackupAt(database)),
    }),
    // The file cannot be replaced by an earlier state while it is open.
    epoch: () => 0,
    revision: () => health.reading(revision.current),
    listPets: query => perTurn.run(() => health.reading(() => readPage(query))),
    findPet: id => perTurn.run(() => health.reading(() => reads.findPet(id))),
    addPet: addition => {
      health.assertUndamaged()
      return additions.add(addition)
    },
    ping: async () => {
      health.assertUndamaged()
      health.reading(() => {
        assertInPlace(files)
        reads.ping()
      })
      await ready.ask()
    },
    close: async () => {
      // The last connection to close empties the write-ahead log and waits for the disk, so it must be the writer's.
      database.close()
      writer.close()
      await writerThread?.close(deadlineMs)
    },
  }
}

/** Without requests there are no turns, so each call is its own turn. */
function everyCall(): () => number {
  let calls = 0
  return () => calls++
}

/** Whether the database is intact. Damage is remembered, because SQLite may not detect it again. */
function healthOf(path: string, onDamageRead: (message: string) => void) {
  let damage: FileFault | undefined
  const noteDamage = (message: string): void => {
    damage ??= new FileFault(
      `The database ${path} is damaged (${message}). Restore it from a backup and restart the service.`,
    )
  }
  const assertUndamaged = (): void => {
    if (damage !== undefined) throw new StorageUnavailable(damage)
  }
  /** Runs a read; throws a StorageUnavailable if the storage failed. */
  const reading = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      if (isDamage(error)) {
        noteDamage(error.message)
        onDamageRead(error.message)
      }
      throw fileCannotAnswer(error) ? new StorageUnavailable(error) : error
    }
  }
  const orUndefined = <T>(read: () => T): T | undefined => {
    try {
      return reading(read)
    } catch {
      return undefined
    }
  }
  return { noteDamage, assertUndamaged, reading, orUndefined }
}

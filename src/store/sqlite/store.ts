import { WRITE_MS } from '../../deadlines.ts'
import { batchedQuery } from '../batched-query.ts'
import type { KeptStore, Opening } from '../engine.ts'
import { StorageUnavailable } from '../errors.ts'
import { commitLimits, GroupCommit } from '../group-commit.ts'
import type { Added, Addition, Store } from '../store.ts'
import { lastBackupAt } from './backup.ts'
import { assertInPlace, freeBytes, openedFiles, walBytes } from './database-files.ts'
import { openFile } from './open.ts'
import { ReadsPerTurn, readsOf } from './reads.ts'
import { metaValue, type SqliteLocation } from './schema.ts'
import { sharedWriter } from './shared-writer.ts'
import { isDamage, troubleIn } from './sqlite-errors.ts'
import { WriterClient } from './writer-client.ts'

/** A command can wait longer than the caller of a service. */
const TIMEOUTS = {
  service: { lockMs: 2000, deadlineMs: WRITE_MS },
  command: { lockMs: 8000, deadlineMs: 10_000 },
}

/**
 * The embedded store: one file. Reads run in the thread that opened it and never wait for a write. Writes run in the writer thread,
 * which all threads of a process share, so that a disk that hangs during a sync blocks only their callers, and not for long.
 */
export async function openSqliteStore(
  location: SqliteLocation,
  opening: Opening,
): Promise<Store & KeptStore> {
  const { create, observe = () => {}, caller = 'command', turn = () => 0, threads = 1 } = opening
  const { path } = location
  const database = openFile(location, create)
  const files = openedFiles(path)
  const reads = readsOf(database)
  const perTurn = new ReadsPerTurn(database, turn)
  const { lockMs, deadlineMs } = TIMEOUTS[caller]
  // A listener has a link to the main thread's writer, so it starts none.
  const shared = sharedWriter({ path, files, lockMs }, observe)
  const { link = shared.newLink() } = opening
  const writer = new WriterClient({ link, deadlineMs, observe })
  // With one batch in flight per thread, callers of several threads would queue twice: here, and for another thread's batch.
  const limits = commitLimits(threads, threads === 1 ? 1 : 4)
  const additions = new GroupCommit<Addition, Added>(batch => writer.addPets(batch), limits)
  /** Runs a read. The writer is told about damage, and then refuses all writes and is not ready. */
  function read<T>(work: () => T): T {
    try {
      return work()
    } catch (error) {
      if (isDamage(error)) void writer.call('reportDamage', error.message).catch(() => {})
      const trouble = troubleIn(error)
      throw trouble ? new StorageUnavailable(error, trouble) : error
    }
  }
  const ready = batchedQuery(() => writer.call('ping'))

  return {
    newLink: shared.newLink,
    cursorSecret: String(metaValue(database, 'cursor_secret')),
    keys: {
      add: async key => void (await writer.call('addKey', key)),
      list: async () => read(reads.listKeys),
      find: async hash => read(() => reads.findKey(hash)),
      revoke: async (id, at) => (await writer.call('revokeKey', id, at)) === true,
      recordUses: async uses => void (await writer.call('recordKeyUses', uses)),
    },
    backlog: () => ({ animals: additions.waiting, isStalled: writer.isStalled }),
    figures: () => {
      try {
        return { walBytes: walBytes(path), freeBytes: freeBytes(path), lastBackupAt: lastBackupAt(database) }
      } catch {
        return {}
      }
    },
    // The file cannot be replaced by an earlier state while it is open.
    epoch: () => 0,
    revision: () => read(reads.revision),
    listPets: query => perTurn.run(() => read(() => reads.listPets(query))),
    findPet: id => perTurn.run(() => read(() => reads.findPet(id))),
    addPet: addition => additions.add(addition),
    ping: async () => {
      read(() => {
        assertInPlace(files)
        reads.ping()
      })
      await ready()
    },
    close: async () => {
      // The last connection to close empties the write-ahead log and waits for the disk, so it must be the writer's.
      database.close()
      writer.close()
      await shared.close(deadlineMs)
    },
  }
}

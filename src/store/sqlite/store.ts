import type { Database } from 'bun:sqlite'
import type { PetStatus } from '../../contract/pet.ts'
import type { Environment } from '../../contract/servers.ts'
import type { Observe } from '../../observability/events.ts'
import { unavailable } from '../errors.ts'
import { COMMIT_LIMITS, GroupCommit } from '../group-commit.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import {
  type Added,
  type Addition,
  type KeyRecord,
  type PageQuery,
  requestTurn,
  type Store,
  type StoredPage,
} from '../store.ts'
import { lastBackupAt } from './backup.ts'
import { assertInPlace, logBytes, openedFiles } from './file-check.ts'
import { metaValue, openFile } from './open.ts'
import { addedPets, type BatchOutcome, encodeBatch, PET_JSON } from './pet-rows.ts'
import { FileFault, fileCannotAnswer, isDamage } from './sqlite-errors.ts'
import { WriterClient } from './writer-client.ts'

/** A service must respond within 5 seconds; a command can wait longer. */
const TIMEOUTS = {
  service: { lockMs: 2000, deadlineMs: 4000 },
  command: { lockMs: 8000, deadlineMs: 10_000 },
}

interface StoreOptions {
  readonly create: boolean
  readonly observe: Observe
  readonly caller: keyof typeof TIMEOUTS
}

/**
 * The embedded store: one file. Reads run here and never wait for a write. Writes run in a thread, so that a disk that does
 * not answer its sync blocks nobody but their callers, and those not for long.
 */
export async function openSqliteStore(
  path: string,
  environment: Environment,
  { create, observe, caller }: StoreOptions,
): Promise<Store> {
  const database = openFile(path, environment, create)
  const files = openedFiles(path)
  const health = healthOf(path)
  const reads = readsOf(database)
  const revision = revisionOf(database)
  const { lockMs, deadlineMs } = TIMEOUTS[caller]
  const writer = new WriterClient({
    writer: { path, files, lockMs },
    deadlineMs,
    onDamage: health.noteDamage,
    onStalled: () => observe({ kind: 'storage-stalled' }),
    onRecovered: afterMs => observe({ kind: 'storage-recovered', afterMs }),
  })
  const additions = new GroupCommit<Addition, Added>(async batch => {
    const started = performance.now()
    const outcome = JSON.parse(await writer.call('addPets', ...encodeBatch(batch))) as BatchOutcome
    revision.forget()
    const durationMs = performance.now() - started
    observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: outcome.commitMs })
    return addedPets(batch, outcome)
  }, COMMIT_LIMITS)
  // A disk that hangs must not keep the service from reporting it.
  if (caller === 'service') await writer.ready().catch(() => {})

  return {
    environment,
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
      lastBackupAt: health.orUndefined(() => lastBackupAt(database) ?? new Date(0)),
    }),
    // The file cannot be replaced by an earlier state while it is open.
    epoch: () => 0,
    revision: () => health.reading(revision.current),
    // The revision is asked first: an animal that is added in between makes the page look older than it is.
    listPets: query => health.reading(() => ({ revision: revision.current(), ...reads.listPets(query) })),
    findPet: id => health.reading(() => reads.findPet(id)),
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
      writer.assertAnswering()
      await writer.ready()
    },
    close: async () => {
      // The last connection to close empties the log and waits for the disk, so it must be the writer's.
      database.close()
      await writer.close()
    },
  }
}

/** Whether the database is intact and still the one that was opened. Damage is remembered: SQLite may not find it again. */
function healthOf(path: string) {
  let damage: FileFault | undefined
  const noteDamage = (message: string): void => {
    damage ??= new FileFault(
      `The database ${path} is damaged (${message}). Restore it from a backup and start the service again.`,
    )
  }
  const assertUndamaged = (): void => {
    if (damage !== undefined) throw unavailable(damage)
  }
  /** Runs a read; throws `unavailable` if the storage failed. */
  const reading = <T>(read: () => T): T => {
    try {
      return read()
    } catch (error) {
      if (isDamage(error)) noteDamage(error.message)
      throw fileCannotAnswer(error) ? unavailable(error) : error
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

interface PageRow {
  readonly json: Uint8Array
  readonly lastId: bigint | null
  readonly more: bigint
}

/**
 * A page as one row: its bytes cost a third of a row for each animal. A bare parameter as LIMIT would have SQLite plan the
 * statement again for each page, which takes longer than the page.
 */
const pageOf = (filter: string): string =>
  `SELECT json, lastId, EXISTS (SELECT 1 FROM pets WHERE ${filter} id > lastId) AS more FROM (
     SELECT CAST(json_group_array(${PET_JSON}) AS BLOB) AS json, max(pets.id) AS lastId FROM (
       SELECT * FROM pets WHERE ${filter} id > ?1 ORDER BY id LIMIT ?2 + 0) AS pets)`

/** All reads, one prepared statement each. */
function readsOf(database: Database) {
  const page = database.query<PageRow, [bigint, number]>(pageOf(''))
  const pageOfStatus = database.query<PageRow, [bigint, number, PetStatus]>(pageOf('status = ?3 AND'))
  const pet = database.query<{ json: Uint8Array }, [bigint]>(
    `SELECT CAST(${PET_JSON} AS BLOB) AS json FROM pets WHERE pets.id = ?`,
  )
  const key = database.query<KeyRow, [string]>(`${SELECT_KEYS} WHERE hash = ?`)
  const allKeys = database.query<KeyRow, []>(`${SELECT_KEYS} ORDER BY created_at, id`)
  const meta = database.query('SELECT count(*) FROM meta')
  return {
    listPets: ({ after, limit, status }: PageQuery): Omit<StoredPage, 'revision'> => {
      const row = status === undefined ? page.get(after, limit) : pageOfStatus.get(after, limit, status)
      const { json, lastId, more } = row as PageRow
      return { json, lastId: lastId ?? undefined, more: more === 1n }
    },
    findPet: (id: bigint): Uint8Array | undefined => pet.get(id)?.json,
    findKey: (hash: string): KeyRecord | undefined => key.all(hash).map(keyOf)[0],
    listKeys: (): readonly KeyRecord[] => allKeys.all().map(keyOf),
    ping: (): void => void meta.get(),
  }
}

/**
 * The highest identifier ever assigned, by any process. SQLite is asked at most once in a turn of the event loop whether there
 * was a commit, and then whether it added an animal: what else is written leaves cached pages valid.
 */
function revisionOf(database: Database) {
  const dataVersion = database.query<{ data_version: bigint }, []>('PRAGMA data_version')
  const lastId = database.query<{ seq: bigint }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'pets'")
  let version: bigint | undefined
  let revision: bigint | undefined
  let lastKnown = 0n
  let turn = 0
  const forget = (): void => {
    revision = undefined
  }
  const current = (): bigint => {
    if (revision !== undefined && turn === requestTurn.number) return revision
    turn = requestTurn.number
    const found = dataVersion.get()?.data_version
    if (found !== version) lastKnown = lastId.get()?.seq ?? 0n
    version = found
    setImmediate(forget)
    revision = lastKnown
    return revision
  }
  return { current, forget }
}

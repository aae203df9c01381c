import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Environment } from '../../contract/servers.ts'
import type { Observe } from '../../observability/events.ts'
import { OperatorError } from '../../operator-error.ts'
import { RELEASE } from '../../release.ts'
import type { Sharing } from '../engine.ts'
import { COMMIT_LIMITS, GroupCommit } from '../group-commit.ts'
import { type Expired, Forgetting } from '../housekeeping/forgetting.ts'
import { databaseMark } from '../mark.ts'
import { type Caller, PATIENCE } from '../patience.ts'
import { KEY_COLUMNS, type KeyRow, keyOf } from '../rows.ts'
import type { Added, Addition, Store } from '../store.ts'
import { unavailable } from '../unavailable.ts'
import { Condition } from './file/condition.ts'
import { singleValue } from './file/database.ts'
import { watchHistory } from './file/history.ts'
import { fileIdentity } from './file/identify.ts'
import { FileIdentity, isReplaced } from './file/identity.ts'
import { watchLogIndex } from './file/log-index.ts'
import { openSqliteFile } from './file/open.ts'
import { sqliteReader } from './reader/reader.ts'
import { refuseUnfinishedFile } from './transfer/refuse-unfinished-copy.ts'
import { addedPets, decodeOutcome, encodeAdditions } from './writer/additions.ts'
import { Checkpoints } from './writer/checkpoints.ts'
import { startWriter, type WriterClient, writerClient } from './writer/client.ts'
import { logBytes } from './writer/log.ts'
import { SharedWriter } from './writer/shared/writer-of-all.ts'

interface StoreOptions {
  readonly create: boolean
  readonly observe: Observe
  readonly caller: Caller
  readonly sharing?: Sharing | undefined
}

/** The embedded store: one file. Only worker threads read and write it; the main thread never waits for the disk. */
export async function openSqliteStore(
  path: string,
  environment: Environment,
  { create, observe, caller, sharing }: StoreOptions,
): Promise<Store> {
  const database = openSqliteFile(path, environment, create)
  refuseUnfinishedFile(database, path)
  const condition = new Condition(new FileIdentity(path, database))
  const cursorSecret = String(singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'"))
  const file = fileIdentity(path)
  const mark = databaseMark(environment, cursorSecret, file)
  if (sharing !== undefined && sharing.mark !== mark) throw new OperatorError(isReplaced(path).message)
  const patience = PATIENCE[caller]
  const listeners = {
    onDamage: (damage: string) => condition.noteDamage(damage),
    onStall: {
      stalled: () => observe({ kind: 'storage-stalled' }),
      recovered: (afterMs: number) => observe({ kind: 'storage-recovered', afterMs }),
    },
  }
  const reader = sqliteReader({ path, deadlineMs: patience.deadlineMs, ...listeners })
  // Processes of two releases may not understand each other, so each release has its own writer.
  const socket = sharing && `${sharing.socket}-${RELEASE}`
  const shared = socket === undefined ? undefined : new SharedWriter(socket, startWriter)
  const writer = writerClient({ path, file, patience, socket, start: shared?.start, ...listeners })
  const history = watchHistory({
    known: String(singleValue(database, 'PRAGMA schema_version')),
    schemaVersion: reader.schemaVersion,
    isStalled: () => reader.isStalled,
  })
  const { revision, pages } = watchLogIndex(path, database)
  const checkpoints = new Checkpoints({ path, patience, pages, observe })
  const allKeys = database.query<KeyRow, []>(`SELECT ${KEY_COLUMNS} FROM api_keys ORDER BY created_at, id`)
  const additions = new GroupCommit<Addition, Added>(
    batch => checkpoints.after(addPets(writer, batch, observe)),
    COMMIT_LIMITS,
  )
  const expired = { ...expiredIn(writer, checkpoints), isOurs: () => shared?.isHere ?? true }
  const forgetting = new Forgetting(expired, observe)
  // Start the threads before the first request. A disk that hangs must not keep the service from reporting it.
  if (caller === 'service') await Promise.allSettled([writer.ready(), reader.ready()])

  return {
    environment,
    cursorSecret,
    mark,
    keys: {
      add: key => writer.call('addKey', key),
      // Used by commands and before a service starts.
      list: () => condition.reading(() => allKeys.all().map(keyOf)),
      find: reader.findKey,
      revoke: (id, at) => writer.call('revokeKey', id, at),
      recordUses: uses => writer.call('recordKeyUses', uses),
    },
    deprecations: {
      record: calls => writer.call('recordDeprecatedCalls', calls),
      list: reader.listDeprecatedCalls,
    },
    state: () => ({
      engine: 'sqlite',
      waiting: additions.waiting,
      isStalled: writer.isStalled || reader.isStalled,
      housekeeping: forgetting.state,
      logBytes: logBytes(path),
    }),
    history: history.number,
    revision,
    listPets: async query => {
      const before = revision()
      return { ...(await reader.listPets(query)), revision: before }
    },
    findPet: reader.findPet,
    addPet: addition =>
      condition.damage === undefined
        ? additions.add(addition)
        : Promise.reject(unavailable(condition.damage)),
    ping: async () => {
      condition.reading(() => condition.assertSound())
      writer.assertAnswering()
      await writer.ready().catch((cause: unknown) => Promise.reject(unavailable(cause)))
      await reader.ping()
    },
    close: async () => {
      forgetting.close()
      history.stop()
      // The last connection to close empties the log and waits for the disk, so it must be the writer's, not this
      // thread's.
      database.close()
      await reader.close()
      await checkpoints.close()
      await writer.close().catch((cause: unknown) => {
        // A writer in another process that hangs is for that process to report.
        if (shared?.isHere ?? true) throw cause
      })
    },
  }
}

async function addPets(writer: WriterClient, batch: readonly Addition[], observe: Observe): Promise<Added[]> {
  const started = performance.now()
  const outcome = decodeOutcome(await writer.call('addPets', ...encodeAdditions(batch)))
  const durationMs = performance.now() - started
  observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: outcome.commitMs })
  return addedPets(batch, outcome)
}

const expiredIn = (writer: WriterClient, checkpoints: Checkpoints): Expired => ({
  count: atMost => writer.call('countExpiredKeys', lifetimeAgo(), atMost),
  forget: atMost => checkpoints.after(writer.call('forgetExpiredKeys', lifetimeAgo(), atMost)),
})

const lifetimeAgo = (): Date => new Date(Date.now() - IDEMPOTENCY_LIFETIME_MS)

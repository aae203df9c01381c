import { IDEMPOTENCY_LIFETIME_MS } from '../../contract/limits.ts'
import type { Environment } from '../../contract/servers.ts'
import type { Observe } from '../../observability/events.ts'
import { GroupCommit } from '../group-commit.ts'
import { type Expired, Forgetting } from '../housekeeping/forgetting.ts'
import { markOf } from '../mark.ts'
import type { Patience } from '../patience.ts'
import type { Added, Addition, Store } from '../store.ts'
import { unavailable } from '../unavailable.ts'
import { Condition } from './file/condition.ts'
import { singleValue } from './file/database.ts'
import { watchHistory } from './file/history.ts'
import { placeOf } from './file/identify.ts'
import { FileIdentity } from './file/identity.ts'
import { openSqliteFile } from './file/open.ts'
import { sqliteReader } from './reader.ts'
import { refuseUnfinishedCopy } from './transfer/refuse-unfinished-copy.ts'
import { addedPets, decodeOutcome, encodeAdditions } from './writer/additions.ts'
import { WriterClient } from './writer/client.ts'
import { logBytes } from './writer/log.ts'

export const LIMITS = { maxWaiting: 10_000, maxBatch: 512, enough: 32, maxWaitMs: 2000, maxExpectedMs: 600 }

/** The embedded store: one file, reads on this thread, writes on another. */
export function openSqliteStore(
  path: string,
  environment: Environment,
  { create, observe, patience }: { create: boolean; observe: Observe; patience: Patience },
): Store {
  const database = openSqliteFile(path, environment, create)
  refuseUnfinishedCopy(database, path)
  const condition = new Condition(new FileIdentity(path, database))
  const reader = sqliteReader(database, condition)
  const history = watchHistory(database)
  const writer = new WriterClient({
    path,
    patience,
    onDamage: damage => condition.noteDamage(damage),
    onStall: {
      stalled: () => observe({ kind: 'storage-stalled' }),
      recovered: afterMs => observe({ kind: 'storage-recovered', afterMs }),
    },
  })
  const additions = new GroupCommit<Addition, Added>(batch => addPets(writer, batch, observe), LIMITS)
  const forgetting = new Forgetting(expiredIn(writer), observe)
  const cursorSecret = String(singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'"))
  // Not for a command that is over before.
  const starting = setTimeout(() => writer.start(), 0)

  return {
    environment,
    cursorSecret,
    mark: markOf(environment, cursorSecret, placeOf(path)),
    keys: {
      add: key => writer.call('addKey', key),
      list: reader.listKeys,
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
      isStalled: writer.isStalled,
      housekeeping: forgetting.state,
      logBytes: logBytes(path),
    }),
    history: history.number,
    revision: reader.revision,
    listPets: async query => {
      const revision = reader.revision()
      return { ...(await reader.listPets(query)), revision }
    },
    findPet: reader.findPet,
    addPet: addition =>
      condition.damage === undefined
        ? additions.add(addition)
        : Promise.reject(unavailable(condition.damage)),
    ping: () =>
      condition.reading(() => {
        condition.assertSound()
        writer.assertAnswering()
        singleValue(database, 'SELECT count(*) FROM meta')
      }),
    close: async () => {
      clearTimeout(starting)
      forgetting.close()
      history.stop()
      // The last to close empties the log and waits for the disk: the thread that may, not this one.
      database.close()
      await writer.close()
    },
  }
}

async function addPets(writer: WriterClient, batch: readonly Addition[], observe: Observe): Promise<Added[]> {
  const started = performance.now()
  const { plain, plainCount, keyed } = encodeAdditions(batch)
  const outcome = decodeOutcome(await writer.call('addPets', plain, plainCount, keyed))
  const durationMs = performance.now() - started
  observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: outcome.commitMs })
  return addedPets(batch, outcome)
}

const expiredIn = (writer: WriterClient): Expired => ({
  count: atMost => writer.call('countExpiredKeys', lifetimeAgo(), atMost),
  forget: atMost => writer.call('forgetExpiredKeys', lifetimeAgo(), atMost),
})

const lifetimeAgo = (): Date => new Date(Date.now() - IDEMPOTENCY_LIFETIME_MS)

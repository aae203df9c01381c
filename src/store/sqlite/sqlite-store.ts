import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from '../../environment.ts'
import type { Observe } from '../../observability/events.ts'
import { OperatorError } from '../../operator-error.ts'
import { GroupCommit } from '../group-commit.ts'
import { type Added, type Addition, IDEMPOTENCY_LIFETIME_MS, type Store } from '../store.ts'
import { addedPets, decodeOutcome, encodeAdditions } from './additions.ts'
import { openDatabase, singleValue } from './database.ts'
import { reading } from './failures.ts'
import { inspect } from './inspect.ts'
import { migrate } from './migrate.ts'
import { sqliteReader } from './reader.ts'
import { WriterClient } from './writer-client.ts'

const LIMITS = { maxWaiting: 10_000, maxBatch: 512, maxWaitMs: 2000 }
const FORGET_EVERY_MS = 60 * 60 * 1000

/** The embedded store: one file, reads on this thread, writes on another. */
export function openSqliteStore(path: string, environment: Environment, observe: Observe): Store {
  const database = openOrExplain(path, environment)
  const reader = sqliteReader(database)
  const writer = new WriterClient(path)
  const additions = new GroupCommit<Addition, Added>(batch => addPets(writer, batch, observe), LIMITS)
  const forgetting = setInterval(() => void forgetOldIdempotencyKeys(writer), FORGET_EVERY_MS)
  forgetting.unref()

  return {
    environment,
    cursorSecret: String(singleValue(database, "SELECT value FROM meta WHERE name = 'cursor_secret'")),
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
    state: () => ({ engine: 'sqlite', waiting: additions.waiting }),
    revision: reader.revision,
    listPets: reader.listPets,
    findPet: reader.findPet,
    addPet: addition => additions.add(addition),
    ping: () => void reading(() => singleValue(database, 'SELECT count(*) FROM meta')),
    close: async () => {
      clearInterval(forgetting)
      await writer.close()
      database.close()
    },
  }
}

function openOrExplain(path: string, environment: Environment) {
  try {
    createFolder(dirname(resolve(path)))
    inspect(path, environment)
    const database = openDatabase(path)
    migrate(database, environment)
    return database
  } catch (error) {
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`The database ${path} cannot be opened: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

/** A new folder's name is itself data: without syncing its parent, a power cut could take folder and animals together. */
function createFolder(folder: string): void {
  if (existsSync(folder)) return
  createFolder(dirname(folder))
  mkdirSync(folder, { recursive: true })
  const parent = openSync(dirname(folder), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

async function addPets(writer: WriterClient, batch: readonly Addition[], observe: Observe): Promise<Added[]> {
  const started = performance.now()
  const { plain, plainCount, keyed } = encodeAdditions(batch)
  const outcome = decodeOutcome(await writer.call('addPets', plain, plainCount, keyed))
  const durationMs = performance.now() - started
  observe({ kind: 'batch-stored', size: batch.length, durationMs, commitMs: outcome.commitMs })
  return addedPets(batch, outcome)
}

async function forgetOldIdempotencyKeys(writer: WriterClient): Promise<void> {
  // A failure is not lost: the keys are past their time, so they are ignored now and removed in an hour.
  await writer.call('forgetIdempotencyBefore', new Date(Date.now() - IDEMPOTENCY_LIFETIME_MS)).catch(() => {})
}

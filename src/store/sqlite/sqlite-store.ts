import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from '../../environment.ts'
import { OperatorError } from '../../operator-error.ts'
import { GroupCommit } from '../group-commit.ts'
import { type Added, type Addition, IDEMPOTENCY_LIFETIME_MS, type Store } from '../store.ts'
import { decodeOutcome, encodeAdditions } from './additions.ts'
import { Condition } from './condition.ts'
import { openDatabase, singleValue } from './database.ts'
import { unavailable } from './failures.ts'
import { inspect } from './inspect.ts'
import { settleRecovered } from './log.ts'
import { migrate } from './migrate.ts'
import { OpenFiles } from './open-files.ts'
import { sqliteReader } from './reader.ts'
import { WriterClient } from './writer-client.ts'

const LIMITS = { maxWaiting: 10_000, maxBatch: 512, maxWaitMs: 2000 }
const FORGET_EVERY_MS = 60 * 60 * 1000

/** The embedded store: one file, reads on this thread, writes on another. */
export function openSqliteStore(path: string, environment: Environment): Store {
  const database = openOrExplain(path, environment)
  const condition = new Condition(new OpenFiles(path, database))
  const reader = sqliteReader(database, condition)
  const writer = new WriterClient(path, damage => condition.noteDamage(damage))
  const additions = new GroupCommit<Addition, Added>(batch => addPets(writer, batch), LIMITS)
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
    revision: reader.revision,
    listPets: reader.listPets,
    findPet: reader.findPet,
    addPet: addition =>
      condition.damage === undefined
        ? additions.add(addition)
        : Promise.reject(unavailable(condition.damage)),
    ping: () =>
      condition.reading(() => {
        condition.assertSound()
        singleValue(database, 'SELECT count(*) FROM meta')
      }),
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
    settleRecovered(database, path)
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

async function addPets(writer: WriterClient, batch: readonly Addition[]): Promise<Added[]> {
  const { plain, plainCount, keyed } = encodeAdditions(batch)
  return decodeOutcome(batch, await writer.call('addPets', plain, plainCount, keyed))
}

async function forgetOldIdempotencyKeys(writer: WriterClient): Promise<void> {
  // A failure is not lost: the keys are past their time, so they are ignored now and removed in an hour.
  await writer.call('forgetIdempotencyBefore', new Date(Date.now() - IDEMPOTENCY_LIFETIME_MS)).catch(() => {})
}

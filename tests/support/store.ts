import { parseDatabaseUrl } from '../../src/config/database-url.ts'
import { newKey } from '../../src/keys/api-key.ts'
import type { Engine, Opening } from '../../src/store/engine.ts'
import { postgresEngine } from '../../src/store/postgres/engine.ts'
import { sqliteEngine } from '../../src/store/sqlite/engine.ts'
import type { Store } from '../../src/store/store.ts'

/** The operations on a production database, in this process. */
export function engineAt(url: string): Engine {
  const [database, environment] = [parseDatabaseUrl(url), 'production'] as const
  return database.engine === 'sqlite'
    ? sqliteEngine({ database, environment })
    : postgresEngine({ database, environment })
}

/** Opens a store that is closed at the end of the block. */
export async function openStore(url: string, opening: Opening = { create: true }) {
  const store = await engineAt(url).open(opening)
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() })
}

/** So few that they are one batch: those of the next one would be refused as late if the first took seconds. */
const TOGETHER = 30

/** Adds an animal, with an idempotency key or without one. */
export const addTo = (store: Store, name = 'Rex', key?: string, keyId = 'k') => {
  const pet = { name, categoryId: 1n, status: 'available' } as const
  return store.addPet({ pet, idempotency: key === undefined ? undefined : { keyId, key } })
}

/** The name of the error with which it fails, if it does. */
export const failureOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(() => undefined).catch(({ name }: Error) => name)

export const animals = (count: number): string[] => Array.from({ length: count }, (_, n) => `animal ${n}`)

/** Creates a database with these animals, like a service that is stopped afterwards. */
export async function makeStore(databaseUrl: string, names: readonly string[] = []): Promise<void> {
  await using store = await openStore(databaseUrl)
  for (let at = 0; at < names.length; at += TOGETHER)
    await Promise.all(names.slice(at, at + TOGETHER).map(name => addTo(store, name)))
}

/** Adds an API key of production, to a new database if there is none; returns the secret. */
export async function addKey(databaseUrl: string, name: string, expiresAt?: Date, revokedAt?: Date) {
  const { key, record } = newKey('production', name, expiresAt)
  await using store = await openStore(databaseUrl)
  await store.keys.add(record)
  if (revokedAt) await store.keys.revoke(record.id, revokedAt)
  return key
}

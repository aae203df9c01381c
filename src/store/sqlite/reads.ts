import type { Database } from 'bun:sqlite'
import { PET_FIELDS, type PetStatus } from '../../contract/pet.ts'
import type { MaybePromise } from '../../maybe-promise.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import type { PageQuery, StoredPage } from '../store.ts'

/** These run immediately: a client that pipelines a few keeps its connection, and the first of equal ones fills the cache. */
const IMMEDIATE_READS = 4
/** If the reads of a turn take longer, the rest run in the next turn, so that other requests get theirs. */
const MAX_TURN_MS = 25

interface WaitingRead {
  readonly run: () => unknown
  readonly resolve: (value: never) => void
  readonly reject: (error: unknown) => void
}

/**
 * Runs the reads of one event-loop turn together, after its requests have arrived. This saves 15 µs for each page and 8 µs for each
 * animal: they share one transaction, whose locks cost as much as reading one animal, and the processor's caches stay warm.
 */
export class ReadsPerTurn {
  readonly #turn: () => number
  readonly #inTransaction: (work: () => void) => void
  #lastTurn = -1
  #immediate = 0
  #waiting: WaitingRead[] = []

  constructor(database: Database, turn: () => number) {
    this.#turn = turn
    this.#inTransaction = database.transaction((work: () => void) => work())
  }

  /** Runs a read immediately, or together with the others of this turn. */
  run<T>(read: () => T): MaybePromise<T> {
    if (this.#turn() !== this.#lastTurn) {
      this.#lastTurn = this.#turn()
      this.#immediate = 0
    }
    if (this.#immediate++ < IMMEDIATE_READS) return read()
    return new Promise<T>((resolve, reject) => {
      if (this.#waiting.push({ run: read, resolve, reject }) === 1) setImmediate(() => this.#runWaiting())
    })
  }

  #runWaiting(): void {
    const settles: (() => void)[] = []
    const runAll = (): void => {
      const endsAt = performance.now() + MAX_TURN_MS
      while (settles.length < this.#waiting.length) {
        settles.push(settled(this.#waiting[settles.length] as WaitingRead))
        if (performance.now() > endsAt) break
      }
    }
    try {
      this.#inTransaction(runAll)
    } catch {
      // The transaction could not begin, or a failed read has ended it. Completed reads are valid, and each read reports its own
      // failure.
      if (settles.length === 0) runAll()
    }
    this.#waiting = this.#waiting.slice(settles.length)
    if (this.#waiting.length > 0) setImmediate(() => this.#runWaiting())
    // Callers continue after the transaction, because they may read again.
    for (const settle of settles) settle()
  }
}

/** Runs a read, and returns a function that gives its caller the outcome. */
function settled({ run, resolve, reject }: WaitingRead): () => void {
  try {
    const value = run()
    return () => resolve(value as never)
  } catch (error) {
    return () => reject(error)
  }
}

interface PageRow {
  readonly json: Uint8Array
  readonly lastId: bigint | null
  readonly more: bigint
}

/** The animal as JSON, rendered by SQLite: half the cost of reading the columns and rendering them ourselves. */
const PET_JSON = `json_object(${PET_FIELDS.map(({ name, column }) => `'${name}', pets.${column}`)})`

/** A page as one row, at a third of the cost of a row per animal. If LIMIT were bare, SQLite would plan it again for each page. */
const pageStatement = (filter: string): string =>
  `SELECT json, lastId, EXISTS (SELECT 1 FROM pets WHERE ${filter} id > lastId) AS more FROM (
     SELECT CAST(json_group_array(${PET_JSON}) AS BLOB) AS json, max(pets.id) AS lastId FROM (
       SELECT * FROM pets WHERE ${filter} id > ?1 ORDER BY id LIMIT ?2 + 0) AS pets)`

/** All reads, one prepared statement each. */
export function readsOf(database: Database) {
  const anyPage = database.query<PageRow, [bigint, number]>(pageStatement(''))
  const pageOfStatus = database.query<PageRow, [bigint, number, PetStatus]>(pageStatement('status = ?3 AND'))
  const pet = database.query<{ json: Uint8Array }, [bigint]>(
    `SELECT CAST(${PET_JSON} AS BLOB) AS json FROM pets WHERE pets.id = ?`,
  )
  const key = database.query<KeyRow, [string]>(`${SELECT_KEYS} WHERE hash = ?`)
  const allKeys = database.query<KeyRow, []>(`${SELECT_KEYS} ORDER BY created_at, id`)
  const meta = database.query('SELECT count(*) FROM meta')
  const dataVersion = database.query<{ data_version: bigint }, []>('PRAGMA data_version')
  const lastAssigned = database.query<{ seq: bigint }, []>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'pets'",
  )
  let knownVersion: bigint | undefined
  let knownId = 0n

  /** The highest identifier ever assigned, asked for every time: another thread may have responded in this very turn. */
  function currentRevision(): bigint {
    const version = dataVersion.get()?.data_version
    if (version !== knownVersion) knownId = lastAssigned.get()?.seq ?? 0n
    knownVersion = version
    return knownId
  }

  function page({ after, limit, status }: PageQuery, revision?: bigint): StoredPage {
    const row = status === undefined ? anyPage.get(after, limit) : pageOfStatus.get(after, limit, status)
    const { json, lastId, more } = row as PageRow
    return { json, lastId: lastId ?? undefined, more: more === 1n, revision }
  }

  return {
    revision: currentRevision,
    listPets: (query: PageQuery): StoredPage => {
      const found = page(query)
      // The revision is read before the last page, so that an animal added in between can only make the page look older than it is.
      return found.more ? found : page(query, currentRevision())
    },
    findPet: (id: bigint): Uint8Array | undefined => pet.get(id)?.json,
    findKey: (hash: string) => key.all(hash).map(keyOf)[0],
    listKeys: () => allKeys.all().map(keyOf),
    ping: (): void => void meta.get(),
  }
}

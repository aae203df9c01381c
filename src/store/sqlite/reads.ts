import type { Database } from 'bun:sqlite'
import type { PetStatus } from '../../contract/pet.ts'
import { type KeyRow, keyOf, SELECT_KEYS } from '../key-rows.ts'
import { type KeyRecord, type MaybePromise, type PageQuery, requestTurn, type StoredPage } from '../store.ts'
import { PET_JSON } from './pet-rows.ts'

/** A client that pipelines a few requests keeps its connection, and what many ask for at once is cached by the first of them. */
const MAX_AT_ONCE = 4
/** Reads that take longer together go on in the next turn, so that other requests get theirs. */
const MAX_TURN_MS = 25

type Reading = <T>(read: () => T) => T

/**
 * Runs the reads of one turn of the event loop together, once its requests have been received: in one transaction, whose locks
 * cost as much as an animal, and with what they share in the processor's caches. They take two thirds of the time. The first
 * ones run at once.
 */
export function readingTogether(database: Database, reading: Reading): <T>(read: () => T) => MaybePromise<T> {
  let turn = 0
  let atOnce = 0
  let waiting: (() => () => void)[] = []
  let settled: (() => void)[] = []
  const readWaiting = (): void => {
    const endsAt = performance.now() + MAX_TURN_MS
    for (const read of waiting) {
      settled.push(read())
      if (performance.now() > endsAt) break
    }
  }
  const inTransaction = database.transaction(readWaiting)
  const readAll = (): void => {
    try {
      inTransaction()
    } catch {
      // A failed read has ended the transaction, and its caller is told why; if it did not begin, each read finds out why.
      if (settled.length === 0) readWaiting()
    }
    waiting = waiting.slice(settled.length)
    if (waiting.length > 0) setImmediate(readAll)
    for (const settle of settled) settle()
    settled = []
  }
  return read => {
    if (turn !== requestTurn.number) {
      turn = requestTurn.number
      atOnce = MAX_AT_ONCE
    }
    if (atOnce-- > 0) return reading(read)
    const { promise, resolve, reject } = Promise.withResolvers<ReturnType<typeof read>>()
    const readLater = (): (() => void) => {
      try {
        const value = reading(read)
        return () => resolve(value)
      } catch (error) {
        return () => reject(error)
      }
    }
    if (waiting.push(readLater) === 1) setImmediate(readAll)
    return promise
  }
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
export function readsOf(database: Database) {
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
export function revisionOf(database: Database) {
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

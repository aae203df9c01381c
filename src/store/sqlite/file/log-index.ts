import { FFIType, toArrayBuffer } from 'bun:ffi'
import type { Database } from 'bun:sqlite'
import { openSync, realpathSync } from 'node:fs'
import { cLibrary } from '../../../c-library.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'

const PROT_READ = 1
const MAP_SHARED = 1
/** Length and format of the header of the log's index (sqlite.org/walformat.html); SQLite too compares it to find a change. */
const HEADER_BYTES = 48
const FORMAT = 3007000

/** In the header, as a word of 32 bits: how many pages the log holds. */
const PAGES_IN_LOG = 4

/** What can be known about the log at any time without waiting for anything. */
export interface LogIndex {
  /** Changes with every commit, of whichever process. */
  readonly revision: () => number
  /** Pages written since the log was begun; 0 where that cannot be known. */
  readonly pages: () => number
}

/**
 * The index is in memory that all connections share. `PRAGMA data_version` tells of commits too, but reads the first page of the
 * file after each one, and may wait for the disk.
 */
export function watchLogIndex(path: string, database: Database): LogIndex {
  const header = mapHeader(path)
  return header === undefined
    ? { revision: dataVersion(database), pages: () => 0 }
    : { revision: changesOf(header), pages: () => header[PAGES_IN_LOG] ?? 0 }
}

function changesOf(header: Uint32Array): () => number {
  const seen = header.slice()
  let changes = 0
  return () => {
    for (let word = 0; word < seen.length; word++) {
      if (header[word] === seen[word]) continue
      // One that is just being written counts twice; that is as good.
      seen.set(header)
      return ++changes
    }
    return changes
  }
}

/** Undefined where this system or this release of SQLite has it otherwise. */
function mapHeader(path: string): Uint32Array | undefined {
  const { i32, i64, u64, ptr } = FFIType
  const library = cLibrary({ mmap: { args: [ptr, u64, i32, i32, i32, i64], returns: i64 } })
  if (library === undefined) return undefined
  // Stays open for ever: closing it would take the locks of SQLite with it.
  const index = asOwnerOf(path, () => openSync(`${realpathSync(path)}-shm`, 'r'))
  const address = Number(library.mmap(null, HEADER_BYTES, PROT_READ, MAP_SHARED, index, 0))
  if (address === -1) return undefined
  const header = new Uint32Array(
    toArrayBuffer(address as Parameters<typeof toArrayBuffer>[0], 0, HEADER_BYTES),
  )
  return header[0] === FORMAT ? header : undefined
}

function dataVersion(database: Database): () => number {
  const version = database.query<{ data_version: bigint }, []>('PRAGMA data_version')
  return () => Number(version.get()?.data_version)
}

import { FFIType, toArrayBuffer } from 'bun:ffi'
import type { Database } from 'bun:sqlite'
import { openSync, realpathSync } from 'node:fs'
import { cLibrary } from '../../../c-library.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'

const PROT_READ = 1
const MAP_SHARED = 1
/** Length and format of the WAL-index header (sqlite.org/walformat.html). SQLite also compares it to detect changes. */
const HEADER_BYTES = 48
const FORMAT = 3007000

/** The 32-bit word of the header that holds the number of pages in the log. */
const PAGES_IN_LOG = 4

/** What is known about the log without waiting for anything. */
export interface LogIndex {
  /** Changes with every commit of any process. */
  readonly revision: () => number
  /** Pages written since the log last started over; 0 if unknown. */
  readonly pages: () => number
}

/**
 * The index is in memory that all connections share. `PRAGMA data_version` reports commits too, but reads the file's
 * first page after each one and may wait for the disk.
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
      // A header read while it is being written counts as two changes, which is harmless.
      seen.set(header)
      return ++changes
    }
    return changes
  }
}

/** Undefined if this system or this SQLite release uses another format. */
function mapHeader(path: string): Uint32Array | undefined {
  const { i32, i64, u64, ptr } = FFIType
  const library = cLibrary({ mmap: { args: [ptr, u64, i32, i32, i32, i64], returns: i64 } })
  if (library === undefined) return undefined
  // Never closed: closing it would release SQLite's locks.
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

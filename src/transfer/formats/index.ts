import { extname } from 'node:path'
import type { Pet } from '../../contract/pet.ts'
import { InvalidInput } from '../../operator-error.ts'
import type { Entry } from '../entry.ts'
import { readCsv, writeCsv } from './csv.ts'
import { readJson, writeJson } from './json.ts'
import { readNdjson, writeNdjson } from './ndjson.ts'

interface FileFormat {
  readonly read: (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Entry[]>
  readonly write: (batches: AsyncIterable<readonly Pet[]>) => AsyncGenerator<string>
}

export const FILE_FORMATS = {
  ndjson: { read: readNdjson, write: writeNdjson },
  json: { read: readJson, write: writeJson },
  csv: { read: readCsv, write: writeCsv },
} as const satisfies Record<string, FileFormat>

export type FormatName = keyof typeof FILE_FORMATS
export const FORMAT_NAMES = Object.keys(FILE_FORMATS) as FormatName[]

const BY_EXTENSION: Readonly<Record<string, FormatName>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.csv': 'csv',
}

export const PIPE = '-'

/** The requested format, otherwise by file name; a pipe is NDJSON. */
export function formatOf(path: string, asked: FormatName | undefined): FileFormat {
  const name = asked ?? (path === PIPE ? 'ndjson' : BY_EXTENSION[extname(path).toLowerCase()])
  if (name === undefined)
    throw new InvalidInput(
      `The name ${path} does not show its format. Add --format ${FORMAT_NAMES.join(', or ')}.`,
    )
  return FILE_FORMATS[name]
}

import { extname } from 'node:path'
import type { Pet } from '../../contract/pet.ts'
import { OperatorError } from '../../operator-error.ts'
import type { Entry } from '../entry.ts'
import { readCsv, writeCsv } from './csv.ts'
import { readJson, writeJson } from './json.ts'
import { readNdjson, writeNdjson } from './ndjson.ts'

export interface Format {
  readonly read: (bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Entry[]>
  readonly write: (batches: AsyncIterable<readonly Pet[]>) => AsyncGenerator<string>
}

export const FORMATS = {
  ndjson: { read: readNdjson, write: writeNdjson },
  json: { read: readJson, write: writeJson },
  csv: { read: readCsv, write: writeCsv },
} as const satisfies Record<string, Format>

export type FormatName = keyof typeof FORMATS
export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[]

const BY_EXTENSION: Readonly<Record<string, FormatName>> = {
  '.ndjson': 'ndjson',
  '.jsonl': 'ndjson',
  '.json': 'json',
  '.csv': 'csv',
}

export const PIPE = '-'

/** What was asked for, else what the name of the file says; a pipe carries NDJSON. */
export function formatOf(path: string, asked: FormatName | undefined): Format {
  const name = asked ?? (path === PIPE ? 'ndjson' : BY_EXTENSION[extname(path).toLowerCase()])
  if (name === undefined)
    throw new OperatorError(
      `The name ${path} does not tell its format. Say --format ${FORMAT_NAMES.join(', or ')}.`,
      { exit: 'invalid' },
    )
  return FORMATS[name]
}

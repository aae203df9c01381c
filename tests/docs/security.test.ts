import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { dependencies, devDependencies } from '../../package.json' with { type: 'json' }
import {
  LIMIT_MAX,
  MAX_BODY_BYTES,
  MAX_JSON_VALUES,
  MAX_REQUEST_ID_LENGTH,
} from '../../src/contract/limits.ts'
import { IDLE_TIMEOUT_SECONDS } from '../../src/http/listener/listener.ts'
import {
  BODY_SECONDS,
  MAX_DISCARDED_BYTES,
  MAX_DISCARDING,
  MAX_RECEIVING_BYTES,
  STALL_SECONDS,
} from '../../src/http/request/receive-body.ts'
import { MAX_BYTES } from '../../src/http/response/cache.ts'
import { MAX_REMEMBERED } from '../../src/keys/key-ring.ts'
import { MAX_WAITING_LINES as MAX_LINES } from '../../src/observability/line-writer.ts'
import { MAX_KEYS } from '../../src/observability/metrics/sources.ts'
import { CONNECTIONS } from '../../src/store/database.ts'
import { COMMIT_LIMITS } from '../../src/store/group-commit.ts'
import { MAX_WAITING as MAX_QUERIES } from '../../src/store/postgres/pool.ts'
import { WRITE_CONNECTIONS } from '../../src/store/postgres/store.ts'

const read = (name: string): string => readFileSync(join(import.meta.dir, '../..', name), 'utf8')
const text = read('SECURITY.md').replaceAll('\n', ' ')
const lock = JSON.parse(read('package-lock.json')) as {
  packages: Record<string, { dev?: boolean; devOptional?: boolean }>
}
const number = (value: number): string => value.toLocaleString('en-US')
const mib = (bytes: number): string => `${bytes / 2 ** 20} MiB`

const FIGURES = [
  `| Body | ${MAX_BODY_BYTES / 1024} KiB,`,
  `| Values in a body | ${number(MAX_JSON_VALUES)} |`,
  `| Time for a body | ${BODY_SECONDS} seconds in total |`,
  `| Bodies being received, together | ${mib(MAX_RECEIVING_BYTES)} |`,
  `| Refused body that is read to its end | ${mib(MAX_DISCARDED_BYTES)}, ${BODY_SECONDS} seconds, ${STALL_SECONDS} second without a byte |`,
  `| Bodies being discarded, together | ${MAX_DISCARDING} |`,
  `| Idle connection, or a response that is not read | ${IDLE_TIMEOUT_SECONDS} seconds, in steps of 4 (set by the runtime): ${IDLE_TIMEOUT_SECONDS} to ${IDLE_TIMEOUT_SECONDS + 4} |`,
  `| Animals waiting to be stored | ${number(COMMIT_LIMITS.maxWaiting)}, and no more than can be stored in ${COMMIT_LIMITS.maxExpectedMs / 1000} seconds; always at least ${COMMIT_LIMITS.maxBatch} |`,
  `| Animals in one commit | ${COMMIT_LIMITS.maxBatch} |`,
  `| Keys cached in memory | ${number(MAX_REMEMBERED)},`,
  `| Responses cached in memory | ${mib(MAX_BYTES)} for lists, ${mib(MAX_BYTES)} for single animals |`,
  `| Log lines waiting to be written | ${number(MAX_LINES)} |`,
  `| Keys with a series in the metrics | ${MAX_KEYS},`,
  `| Page | ${LIMIT_MAX} animals |`,
  `| PostgreSQL connections | ${CONNECTIONS.usual} per instance and host (${CONNECTIONS.usual - WRITE_CONNECTIONS} to read, ${WRITE_CONNECTIONS} to write), ${number(MAX_QUERIES)} requests waiting`,
  `1 to ${MAX_REQUEST_ID_LENGTH} letters, digits and \`-_.\``,
]
test.each(FIGURES)('SECURITY.md says what the code does: %s', figure => {
  expect(text).toContain(figure)
})

test('SECURITY.md counts the packages that there are', () => {
  const chosen = Object.keys(dependencies).length
  const isOtherMachines = (name: string): boolean => name.startsWith('node_modules/@oven/')
  const running = Object.entries(lock.packages).filter(
    ([name, { dev, devOptional }]) => name !== '' && !dev && !devOptional && !isOtherMachines(name),
  )
  // Plus the one Bun executable for this machine.
  expect(text).toContain(
    `needs ${chosen} direct dependencies and ${running.length + 1 - chosen} transitive ones`,
  )
  expect(text).toContain(`needs ${Object.keys(devDependencies).length} more direct dependencies`)
})

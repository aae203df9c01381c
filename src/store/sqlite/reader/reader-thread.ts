import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { openReading } from '../file/open-reading.ts'
import { type Methods, serveCalls } from '../thread/serve-calls.ts'
import { monotonicMs } from './monotonic.ts'
import { readQueries } from './queries.ts'

type Read = (...args: readonly unknown[]) => unknown

/** The thread that reads and waits for the disk. It skips calls that were refused meanwhile. */
serveCalls((path): Methods => {
  const database = asOwnerOf(String(path), () => openReading(String(path)))
  const reads = Object.entries(readQueries(database)) as unknown as [string, Read][]
  const unlessLate =
    (read: Read) =>
    (wantedUntil: number, ...args: readonly unknown[]) =>
      monotonicMs() < wantedUntil ? read(...args) : undefined
  return {
    ...Object.fromEntries(reads.map(([name, read]) => [name, unlessLate(read)])),
    close: () => database.close(),
  }
})

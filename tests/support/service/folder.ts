import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A new, empty folder. `npm test` removes them all at its end, since it sets TMPDIR. */
export const freshFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'petstore-test-'))

export const freshSqliteUrl = async (): Promise<string> => `sqlite:${join(await freshFolder(), 'animals.db')}`

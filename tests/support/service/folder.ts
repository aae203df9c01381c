import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Creates an empty folder. `npm test` sets TMPDIR and removes all of them at its end. */
export const freshFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'petstore-test-'))

export const freshSqliteUrl = async (): Promise<string> => `sqlite:${join(await freshFolder(), 'animals.db')}`

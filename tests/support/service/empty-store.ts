import { engineAt } from './engine-at.ts'

/** Creates a database without animals, like a service that is stopped at once. */
export async function makeEmptyStore(databaseUrl: string): Promise<void> {
  const store = await engineAt(databaseUrl).open({ create: true })
  await store.close()
}

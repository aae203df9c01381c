import { engineAt } from './engine-at.ts'

/** Makes a database without animals, as a service would that is stopped at once. */
export async function makeEmptyStore(databaseUrl: string): Promise<void> {
  const store = await engineAt(databaseUrl).open({ create: true })
  await store.close()
}

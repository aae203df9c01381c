import { openStore } from '../../../src/store/open.ts'

/** Makes a database without animals, as a service would that is stopped at once. */
export async function makeEmptyStore(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl, 'production', { create: true })
  await store.close()
}

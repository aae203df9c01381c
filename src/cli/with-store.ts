import { loadConfig } from '../config.ts'
import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { flagsOf } from './settings-options.ts'

export const STORE_SETTINGS = ['environment', 'databaseUrl'] as const

/** Opens the store that the settings name for the time of a command. */
export async function withStore(
  options: Record<string, unknown>,
  run: (store: Store) => Promise<void>,
): Promise<void> {
  const { databaseUrl, environment } = loadConfig(flagsOf(options))
  const store = await openStore(databaseUrl, environment)
  try {
    await run(store)
  } finally {
    await store.close()
  }
}

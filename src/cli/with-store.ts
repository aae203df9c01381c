import { openStore } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { atDatabase } from './places/at-database.ts'
import { flagsOf } from './settings-options.ts'

export const STORE_SETTINGS = ['environment', 'databaseUrl'] as const

export interface StoreUse {
  /** Undefined where the command has no such option. */
  readonly create?: boolean
}

/** Opens the store that the settings name for the time of a command. */
export async function withStore(
  options: Record<string, unknown>,
  run: (store: Store) => Promise<void>,
  { create }: StoreUse = {},
): Promise<void> {
  await atDatabase(
    flagsOf(options),
    async ({ databaseUrl, environment }) => {
      const store = await openStore(databaseUrl, environment, { create: create === true })
      try {
        await run(store)
      } finally {
        await store.close()
      }
    },
    { offersCreate: create !== undefined },
  )
}

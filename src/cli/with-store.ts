import { engineOf } from '../store/engines.ts'
import type { Store } from '../store/store.ts'
import { atDatabase } from './places/at-database.ts'
import { flagsOf } from './settings-options.ts'

interface StoreUse {
  /** Undefined if the command has no such option. */
  readonly create?: boolean
}

/** Opens the configured store for the duration of a command. */
export async function withStore(
  options: Record<string, unknown>,
  run: (store: Store) => Promise<void>,
  { create }: StoreUse = {},
): Promise<void> {
  await atDatabase(
    flagsOf(options),
    async config => {
      const store = await engineOf(config).open({ create: create === true })
      try {
        await run(store)
      } finally {
        await store.close()
      }
    },
    { offersCreate: create !== undefined },
  )
}

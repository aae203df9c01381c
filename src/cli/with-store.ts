import { engineOf } from '../store/engines.ts'
import type { Store } from '../store/store.ts'
import { atDatabase } from './places/at-database.ts'
import { flagsOf } from './settings-options.ts'

/** Opens the configured store for the duration of a command. `create` is undefined if the command has no such option. */
export async function withStore(
  options: Record<string, unknown>,
  run: (store: Store) => Promise<void>,
  { create }: { readonly create?: boolean } = {},
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

import { argumentsOf } from '../command.ts'
import { packClient } from './client.ts'
import { buildPages } from './pages.ts'

/** Builds what the service serves but does not run itself. */
export async function prepare(): Promise<void> {
  await packClient()
  // The reference offers the client only if there is one.
  await buildPages()
}

/** npm runs it after an installation. */
if (import.meta.main) {
  argumentsOf('npm run prepare: builds the pages and packs the client into dist/', {})
  await prepare()
}

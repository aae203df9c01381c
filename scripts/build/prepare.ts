import { argumentsOf } from '../command.ts'
import { packClient } from './client.ts'
import { buildPages } from './pages.ts'

/** Builds what the service serves but does not run itself. */
export const prepare = () => Promise.all([buildPages(), packClient()])

/** npm runs it after an installation. */
if (import.meta.main) {
  argumentsOf('npm run prepare: builds the pages and packs the client into dist/', {})
  await prepare()
}

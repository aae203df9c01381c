import { parseDatabaseUrl } from '../../../src/config/database-url.ts'
import type { Engine } from '../../../src/store/engine.ts'
import { engineOf } from '../../../src/store/engines.ts'

/** The operations on a production database, in this process. */
export const engineAt = (url: string): Engine =>
  engineOf({ database: parseDatabaseUrl(url), environment: 'production' })

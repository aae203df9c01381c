import type { Config } from '../config/load.ts'
import { createKey, hasUsableKey, keyCommand } from '../keys/create.ts'
import type { Log } from '../observability/logger.ts'
import type { Store } from '../store/store.ts'
import { welcome } from './welcome.ts'

interface FirstKey {
  /** Whether requests are refused because there is no key. */
  readonly isMissing: boolean
  /** A key that was just made, to be shown once. */
  readonly made: string | undefined
}

/** Makes a key if there is none and a person can read it. */
export async function firstKey(store: Store, config: Config, isWelcome: boolean): Promise<FirstKey> {
  const isMissing = config.apiKey === undefined && !(await hasUsableKey(store))
  // Shown only on a terminal: other output may be a log file, which is kept and which others read.
  if (!isMissing || !isWelcome || !process.stdout.isTTY) return { isMissing, made: undefined }
  return { isMissing: false, made: (await createKey(store, 'first key')).key }
}

/** Reports where the service is and what it lacks. */
export function announce(
  { observe, writer }: Log,
  { config, url, key, isWelcome }: { config: Config; url: string; key: FirstKey; isWelcome: boolean },
): void {
  const { environment, database, processes } = config
  if (isWelcome) writer.write(welcome(url, config, key.made))
  if (key.isMissing)
    observe({
      kind: 'no-api-key',
      hint: `There is no API key yet. Make one: ${keyCommand(environment)}`,
    })
  if (processes > 1 && config.rateLimit !== undefined) observe({ kind: 'separate-rate-limits', processes })
  observe({
    kind: 'listening',
    url,
    environment,
    database: database.publicName,
    ...(processes > 1 && { processes }),
  })
}

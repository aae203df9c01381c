import type { Config } from '../config/load.ts'
import { createKey, hasUsableKey, keyCommand } from '../keys/create.ts'
import type { Event } from '../observability/events.ts'
import type { Store } from '../store/store.ts'

interface FirstKey {
  /** Whether requests are refused because there is no key. */
  readonly isMissing: boolean
  /** A key that was just made, to be shown once. */
  readonly made: string | undefined
}

/** Makes a key if there is none and a person can read it. */
export async function firstKey(store: Store, config: Config, isWelcome: boolean): Promise<FirstKey> {
  const isMissing = config.apiKey === undefined && !(await hasUsableKey(store))
  if (!isMissing || !isWelcome) return { isMissing, made: undefined }
  return { isMissing: false, made: (await createKey(store, 'first key')).key }
}

export const noKeyEvent = ({ environment }: Config): Event => ({
  kind: 'no-api-key',
  hint: `There is no API key yet. Make one: ${keyCommand(environment)}`,
})

export const listeningEvent = (url: string, { environment, database, processes }: Config): Event => ({
  kind: 'listening',
  url,
  environment,
  database: database.publicName,
  ...(processes > 1 && { processes }),
})

/** What a new user sees after `npm start`: the addresses and a command to paste. */
export function welcome(
  url: string,
  { environment, database, hasConsole }: Config,
  newKey: string | undefined,
): string {
  const lines = [
    '',
    `  Petstore is running (${environment}).`,
    '',
    ...(hasConsole ? [`  Console       ${url}/`, `  Reference     ${url}/docs`] : []),
    `  API           ${url}/v1`,
    `  Description   ${url}/openapi.json`,
    `  Health        ${url}/livez  ${url}/readyz`,
    `  Animals in    ${database.publicName}`,
    '',
  ]
  if (newKey === undefined) lines.push(`  Create an API key:  ${keyCommand(environment)}`, '')
  else
    lines.push(
      '  Your API key. It is shown only once. In a second terminal, store it in a variable:',
      '',
      `  export PETSTORE_API_KEY='${newKey}'`,
      '',
      '  Add the first animal:',
      '',
      `  curl -X POST ${url}/v1/pets \\`,
      '    -H "Authorization: Bearer $PETSTORE_API_KEY" \\',
      '    -H "Content-Type: application/json" \\',
      `    -d '{"name":"Rex","categoryId":7}'`,
      '',
    )
  return lines.join('\n')
}

import type { Config } from '../config/load.ts'
import { createKey, isUsable, keyCommand } from '../keys/create.ts'
import type { Observe } from '../observability/events.ts'
import type { Log } from '../observability/log.ts'
import type { Store } from '../store/store.ts'

/** The first key: `missing` if there is none, the secret if it was just made, undefined if there was one. */
type FirstKey = 'missing' | { readonly made: string } | undefined

/** Makes a key if there is none and a person can read it. */
export async function firstKey(store: Store, config: Config, isWelcome: boolean): Promise<FirstKey> {
  if (config.apiKey !== undefined || (await store.keys.list()).some(isUsable)) return undefined
  return isWelcome ? { made: (await createKey(store, 'first key')).key } : 'missing'
}

/** Says that the service listens, and what the operator should know. */
export function announce(
  url: string,
  config: Config,
  { key, observe, log }: { key: FirstKey; observe: Observe; log: Log | false },
): void {
  const { environment, database, processes } = config
  if (log) log.print(welcome(url, config, typeof key === 'object' ? key.made : undefined))
  if (key === 'missing')
    observe({ kind: 'no-api-key', hint: `There is no API key yet. Make one: ${keyCommand(environment)}` })
  observe({ kind: 'listening', url, environment, database: database.publicName, processes })
  notifySystemd(observe)
}

/** For `Type=notify`. The runtime cannot send a datagram to a Unix socket; the program of systemd can. */
function notifySystemd(observe: Observe): void {
  if (!process.env.NOTIFY_SOCKET) return
  try {
    Bun.spawn(['systemd-notify', '--ready'], { stdio: ['ignore', 'ignore', 'inherit'] }).unref()
  } catch (cause) {
    observe({ kind: 'background-task-failed', task: 'systemd-notify', cause })
  }
}

/** What a new user sees after `npm start`: the addresses and a command to paste. */
function welcome(url: string, config: Config, newKey: string | undefined): string {
  const { environment, database, hasConsole } = config
  const pages = `
  Console       ${url}/
  Reference     ${url}/docs`
  const firstSteps = `
  Your API key. It is shown only once. In a second terminal, store it in a variable:

  export PETSTORE_API_KEY='${newKey}'

  Add the first animal:

  curl -X POST ${url}/v1/pets \\
    -H "Authorization: Bearer $PETSTORE_API_KEY" \\
    -H "Content-Type: application/json" \\
    -d '{"name":"Rex","categoryId":7}'
`
  return `
  Petstore is running (${environment}).
${hasConsole ? pages : ''}
  API           ${url}/v1
  Description   ${url}/openapi.json
  Health        ${url}/livez  ${url}/readyz
  Animals in    ${database.publicName}
${newKey ? firstSteps : `\n  Create an API key:  ${keyCommand(environment)}\n`}`
}

import type { Command } from 'commander'
import { commandName } from '../command-name.ts'
import { OperatorError } from '../operator-error.ts'
import type { Store } from '../store/store.ts'
import { createKey } from './create-key.ts'
import { dateText, stateOf } from './key-text.ts'
import { parseExpiry } from './parse-expiry.ts'
import { withSettings } from './settings-options.ts'
import { table } from './table.ts'
import { STORE_SETTINGS, withStore } from './with-store.ts'

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('make, list and revoke API keys')

  withSettings(keys.command('create'), STORE_SETTINGS)
    .description('make an API key and show it, this once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--expires <when>', 'a date (2027-01-31), a time (2027-01-31T12:00:00Z) or a span (90d, 12h)')
    .action(options => withStore(options, store => create(store, options.name, options.expires)))

  withSettings(keys.command('list'), STORE_SETTINGS)
    .description('list the API keys; never their secrets')
    .action(options => withStore(options, list))

  withSettings(keys.command('revoke'), STORE_SETTINGS)
    .description('revoke an API key; running services refuse it within 5 seconds')
    .argument('<key>', 'its id, or its name if no other key has it')
    .action((key, options) => withStore(options, store => revoke(store, key)))
}

async function create(store: Store, name: string, expires: string | undefined): Promise<void> {
  if (name.trim() === '' || /\p{Cc}/u.test(name))
    throw new OperatorError('The name of a key must be a line of text.', { exit: 'invalid' })
  const key = await createKey(
    store,
    name,
    expires === undefined ? undefined : parseExpiry(expires, new Date()),
  )
  // The key alone goes to standard output, so that a script can take it from there.
  process.stderr.write(`API key "${name}" for ${store.environment}. It is shown only this once:\n`)
  process.stdout.write(`${key}\n`)
}

async function list(store: Store): Promise<void> {
  const rows = (await store.keys.list()).map(key => [
    key.id,
    key.name,
    key.hint,
    dateText(key.createdAt),
    dateText(key.lastUsedAt) || 'never',
    dateText(key.expiresAt) || 'never',
    stateOf(key),
  ])
  process.stdout.write(table(['ID', 'NAME', 'PREFIX', 'CREATED', 'LAST USED', 'EXPIRES', 'STATE'], rows))
}

async function revoke(store: Store, wanted: string): Promise<void> {
  const keys = (await store.keys.list()).filter(key => key.revokedAt === undefined)
  const found = keys.filter(key => key.id === wanted)
  const matches = found.length > 0 ? found : keys.filter(key => key.name === wanted)
  if (matches.length > 1)
    throw new OperatorError(
      `${matches.length} keys are named "${wanted}". Revoke by id: ${matches.map(key => key.id).join(', ')}.`,
      { exit: 'invalid' },
    )
  const [key] = matches
  if (key === undefined || !(await store.keys.revoke(key.id, new Date())))
    throw new OperatorError(
      `No key in force has the id or the name "${wanted}". See: ${commandName()} keys list`,
      { exit: 'missing' },
    )
  process.stdout.write(`Revoked ${key.id} "${key.name}".\n`)
}

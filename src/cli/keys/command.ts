import type { Command } from 'commander'
import { commandName } from '../../command-name.ts'
import { STORE_SETTINGS } from '../../config/settings.ts'
import { createKey, isUsable } from '../../keys/create.ts'
import { InvalidInput, OperatorError } from '../../operator-error.ts'
import type { KeyRecord, Store } from '../../store/store.ts'
import { withSettings } from '../settings-options.ts'
import { confirm, withYes } from '../terminal/confirm.ts'
import { printFacts, withJson } from '../terminal/facts.ts'
import { table } from '../terminal/table.ts'
import { withStore } from '../with-store.ts'
import { parseExpiry } from './expiry.ts'
import { dateText, stateOf } from './text.ts'

interface Options extends Readonly<Record<string, unknown>> {
  readonly json?: boolean
}

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys')

  withJson(withSettings(keys.command('create'), STORE_SETTINGS))
    .description('create an API key and show it once')
    .requiredOption('--name <name>', 'what the key is for')
    .option('--expires <when>', 'a date (2027-01-31), a time (2027-01-31T12:00:00Z) or a duration (90d, 12h)')
    .option('--create', 'create the database if there is none')
    .action(options =>
      withStore(options, store => create(store, options), { create: options.create === true }),
    )

  withJson(withSettings(keys.command('list'), STORE_SETTINGS))
    .description('list the API keys; never their secrets')
    .action(options => withStore(options, store => list(store, options)))

  withYes(withJson(withSettings(keys.command('revoke'), STORE_SETTINGS)))
    .description('revoke an API key; running services refuse it within 5 seconds')
    .argument('<key>', 'its id, or its name if no other key has it')
    .action((key, options) => withStore(options, store => revoke(store, key, options)))
}

async function create(store: Store, options: Options & { name: string; expires?: string }): Promise<void> {
  const { name, expires } = options
  if (name.trim() === '' || /\p{Cc}/u.test(name))
    throw new InvalidInput('The name of a key must be a line of text.')
  const expiresAt = expires === undefined ? undefined : parseExpiry(expires, new Date())
  const created = await createKey(store, name, expiresAt)
  // Only the key goes to standard output, so that a script can capture it.
  if (!options.json)
    process.stderr.write(`API key "${name}" for ${store.environment}. It is shown only this once:\n`)
  await printFacts(options, { ...created, environment: store.environment }, () => `${created.key}\n`)
}

async function list(store: Store, options: Options): Promise<void> {
  const keys = await store.keys.list()
  const facts = keys.map(key => ({
    id: key.id,
    name: key.name,
    prefix: key.hint,
    createdAt: key.createdAt,
    lastUsedAt: key.lastUsedAt,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
    state: stateOf(key),
  }))
  await printFacts(options, facts, () => {
    const rows = keys.map(key => [
      key.id,
      key.name,
      key.hint,
      dateText(key.createdAt),
      dateText(key.lastUsedAt) || 'never',
      dateText(key.expiresAt) || 'never',
      stateOf(key),
    ])
    return table(['ID', 'NAME', 'PREFIX', 'CREATED', 'LAST USED', 'EXPIRES', 'STATE'], rows)
  })
}

async function revoke(store: Store, wanted: string, options: Options): Promise<void> {
  const keys = await store.keys.list()
  const key = keyNamed(wanted, keys)
  const others = keys.filter(other => isUsable(other) && other.id !== key.id)
  if (others.length === 0 && isUsable(key))
    await confirm({
      warning: `"${key.name}" is the last valid key of ${store.environment}: without it no client has access.`,
      yes: options.yes === true,
    })
  const revokedAt = new Date()
  if (!(await store.keys.revoke(key.id, revokedAt))) throw noSuchKey(wanted)
  await printFacts(
    options,
    { id: key.id, name: key.name, revokedAt },
    () => `Revoked ${key.id} "${key.name}".\n`,
  )
}

function keyNamed(wanted: string, keys: readonly KeyRecord[]): KeyRecord {
  const open = keys.filter(key => key.revokedAt === undefined)
  const found = open.filter(key => key.id === wanted)
  const matches = found.length > 0 ? found : open.filter(key => key.name === wanted)
  if (matches.length > 1)
    throw new InvalidInput(
      `${matches.length} keys are named "${wanted}". Revoke by id: ${matches.map(key => key.id).join(', ')}.`,
    )
  const [key] = matches
  if (key === undefined) throw noSuchKey(wanted)
  return key
}

const noSuchKey = (wanted: string): OperatorError =>
  new OperatorError(`No valid key has the id or name "${wanted}". See: ${commandName()} keys list`, {
    exit: 'missing',
  })

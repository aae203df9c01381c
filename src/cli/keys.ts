import { isatty } from 'node:tty'
import type { Command } from 'commander'
import { commandIn } from '../command-name.ts'
import { readSettings } from '../config/load.ts'
import { parseDuration, SETTINGS } from '../config/settings.ts'
import type { Environment } from '../contract/servers.ts'
import { environmentOfKey, hashOfKey, holdsKeyPrefix, isUsable, newKey } from '../keys/api-key.ts'
import { InvalidInput, OperatorError } from '../operator-error.ts'
import type { KeyRecord } from '../store/store.ts'
import { DAY_MS } from '../warnings.ts'
import { withDatabase, withStore } from './database.ts'
import { type Options, withJson, withYes } from './options.ts'
import { confirm, note, printFacts, refuseNoOutput, showing, table } from './terminal.ts'

export function keysCommand(program: Command): void {
  const keys = program.command('keys').description('create, list and revoke API keys')

  withJson(withDatabase(keys.command('create')))
    .description('create an API key and show it once')
    .option('--name <name>', 'what the key is for; required')
    .option('--expires <when>', 'a future date (2027-01-31, UTC) or a duration (90d, 12h, 30m, 45s)')
    .option('--create', 'create the database if there is none')
    .action(create)

  withJson(withDatabase(keys.command('list')))
    .description('list the API keys and their last uses, stored once a minute; never their secrets')
    .action(showing(listKeys))

  withYes(withJson(withDatabase(keys.command('revoke'))))
    .description('revoke an API key; running services reject it within 5 seconds')
    .argument('<key>', 'its id, its name if no other key has it, or - for the key itself on standard input')
    .action(revoke)
}

async function create(options: Options & { name?: string; expires?: string }): Promise<void> {
  refuseNoOutput()
  const { name = '', expires } = options
  if (name.trim() === '' || /\p{Cc}/u.test(name) || holdsKeyPrefix(name))
    throw new InvalidInput('--name must say what the key is for, in a line of text without a key.')
  const expiresAt = expires === undefined ? undefined : parseExpiry(expires, new Date())
  await withStore(options, async (store, { location: database, environment }) => {
    const { key, record } = newKey(environment, name, expiresAt)
    const twin = (await store.keys.list()).find(key => key.revokedAt === undefined && key.name === name)
    // Stored first, because a full disk or a broken connection may keep it from being valid.
    await store.keys.add(record)
    const shown = isatty(1) ? 'is shown only this once:' : 'was written to standard output, only this once.'
    if (twin && options.json !== true)
      note(`Another key is named "${name}": ${twin.id}. Revoke either by its id.`)
    if (options.json !== true) note(`API key "${name}" for ${environment}. It ${shown}`)
    // Only the key goes to standard output, so that a script can capture it.
    const facts = { id: record.id, name, key, expiresAt, environment, database }
    try {
      await printFacts(options, facts, `${key}\n`)
    } catch (error) {
      // Nobody has it, or a file has part of it.
      await store.keys.revoke(record.id, new Date())
      note(`${record.id} was revoked, because it could not be shown.`)
      throw error
    }
  })
}

const listKeys = (options: Options): Promise<void> =>
  withStore(options, async (store, { location: database }) => {
    const keys = await store.keys.list()
    const facts = keys.map(({ hint, ...key }) => ({ ...key, prefix: hint, state: keyState(key) }))
    await printFacts(options, { database, keys: facts }, keyTable(keys))
  })

/** Fits 80 columns; --json has all there is. */
export function keyTable(keys: readonly KeyRecord[], width?: number): string {
  const rows = keys.map(key => [
    key.id,
    key.name,
    key.hint.replace(/^pets_(live|test)_/, ''),
    key.lastUsedAt ? utcMinute(key.lastUsedAt) : 'never',
    key.deprecatedCalls ? String(key.deprecatedCalls) : '-',
    keyState(key) === 'active' && key.expiresAt ? `until ${expiryText(key.expiresAt)}` : keyState(key),
  ])
  const head = ['ID', 'NAME', 'KEY', 'LAST USED (UTC)', 'DEPRECATED', 'STATE']
  return table(head, rows, width)
}

/** With the time, if it is soon. */
const expiryText = (date: Date): string =>
  date.getTime() - Date.now() > 2 * DAY_MS ? utcMinute(date).slice(0, 10) : utcMinute(date).slice(5)
const utcMinute = (date: Date): string => date.toISOString().slice(0, 16).replace('T', ' ')

function keyState(key: Pick<KeyRecord, 'revokedAt' | 'expiresAt'>): 'active' | 'expired' | 'revoked' {
  if (key.revokedAt !== undefined) return 'revoked'
  return isUsable(key) ? 'active' : 'expired'
}

const revoke = (wanted: string, options: Options): Promise<void> =>
  withStore(options, async (store, { location: database, environment }) => {
    const keys = await store.keys.list()
    const given = wanted === '-' ? (await Bun.stdin.text()).trim() : wanted
    const other = environmentOfKey(given) ?? environment
    if (other !== environment)
      throw new InvalidInput(`This key is for ${other}: ${commandIn(other, 'keys revoke -')}`)
    const byValue = await store.keys.find(hashOfKey(given))
    const { id, name, ...key } = keyNamed(byValue?.id ?? given, keys, environment)
    const isLast = isUsable(key) && !keys.some(other => isUsable(other) && other.id !== id)
    const consequence = isLast ? '; no other stored key is valid' : ''
    await confirm(`This revokes ${id} "${name}" of ${environment} permanently${consequence}.`, options)
    const revokedAt = new Date()
    await store.keys.revoke(id, revokedAt)
    await printFacts(options, { id, name, revokedAt, database }, `Revoked ${id} "${name}".\n`)
  })

function keyNamed(wanted: string, keys: readonly KeyRecord[], environment: Environment): KeyRecord {
  const open = keys.filter(key => key.revokedAt === undefined)
  const byId = open.find(({ id }) => id === wanted)
  const [key, ...others] = byId ? [byId] : open.filter(({ name }) => name === wanted)
  if (key === undefined) {
    if (wanted === readSettings({ apiKey: SETTINGS.apiKey }, {}).apiKey)
      throw new InvalidInput(
        'This key is set with PETSTORE_SERVER_API_KEY (or _FILE). Remove it there, and restart the service.',
      )
    const isRevoked = keys.some(({ id, name }) => id === wanted || name === wanted)
    // What was given is not repeated, because it may be a key.
    const found = isRevoked ? 'This key was revoked before.' : 'No key has this id, name or value.'
    const message = `${found} See: ${commandIn(environment, 'keys list')}`
    throw new OperatorError(message, { exit: 'missing' })
  }
  if (others.length === 0) return key
  const ids = [key, ...others].map(({ id }) => id)
  throw new InvalidInput(`${ids.length} keys are named "${wanted}". Revoke by id: ${ids.join(', ')}.`)
}

/** When a key expires: a date in UTC, or a duration from now. It must be in the future. */
export function parseExpiry(text: string, now: Date): Date {
  const duration = parseDuration(text)
  const expiry = new Date(duration === undefined ? `${text}T00:00:00Z` : now.getTime() + duration)
  // JavaScript reads 30 February as 2 March; a day that does not exist is a mistake.
  if (duration === undefined && expiry.toJSON()?.slice(0, 10) !== text)
    throw new InvalidInput('--expires takes a date (2027-01-31) or a duration (90d, 12h, 30m).')
  if (expiry <= now) throw new InvalidInput('--expires must be in the future.')
  return expiry
}

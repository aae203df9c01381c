import { expect, mock, test } from 'bun:test'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStore } from '../../tests/support/store.ts'
import { loadConfig } from '../config/load.ts'
import { hashOfKey, newKey } from '../keys/api-key.ts'
import { storeFirstKey } from './first-key.ts'

const { key, record } = newKey('production', 'stored')

/** What becomes of a start on a store with this key, or without any. */
async function start(stored: 'none' | 'valid' | 'revoked', isWelcome: boolean, configured?: string) {
  await using store = await openStore(`sqlite:${mkdtempSync(join(tmpdir(), 'petstore-'))}/animals.db`)
  if (stored !== 'none') await store.keys.add(record)
  if (stored === 'revoked') await store.keys.revoke(record.id, new Date())
  const observe = mock()
  const config = loadConfig({}, configured === undefined ? {} : { PETSTORE_SERVER_API_KEY: configured })
  const first = await storeFirstKey(store.keys, config, isWelcome, observe)
  const added = (await store.keys.list()).filter(({ id }) => id !== record.id)
  const shown = first === undefined ? [] : [await store.keys.find(hashOfKey(first))]
  return { added, shown, events: observe.mock.calls.map(([{ kind }]) => kind) }
}

test.each([
  ['no key', 'none', undefined, false],
  ['a valid key', 'valid', undefined, true],
  ['only a revoked key', 'revoked', undefined, false],
  ['only a key of the settings', 'none', key, true],
  ['only a key of the settings that was revoked', 'revoked', key, false],
] as const)(
  'a start with %s finds a valid key, shows a new one to a person, or logs that there is none',
  async (_what, stored, configured, isValid) => {
    const silent = await start(stored, false, configured)
    expect(silent).toEqual({ added: [], shown: [], events: isValid ? [] : ['no-api-key'] })
    const { added, shown, events } = await start(stored, true, configured)
    expect(events).toEqual([])
    expect(added.map(({ name }) => name)).toEqual(isValid ? [] : ['first key'])
    expect(shown).toEqual(added)
  },
)

import { expect, mock, test } from 'bun:test'
import { loadConfig } from '../config/load.ts'
import { hashOfKey, newKey } from '../keys/api-key.ts'
import type { KeyRecord, KeyStore } from '../store/store.ts'
import { storeFirstKey } from './first-key.ts'

const { key, record } = newKey('production', 'stored')
const storedKey = (revokedAt?: Date): KeyRecord => ({
  ...record,
  revokedAt,
  lastUsedAt: undefined,
  deprecatedCalls: 0,
  deprecatedCallAt: undefined,
})
const [valid, revoked] = [storedKey(), storedKey(new Date())]

/** What becomes of a start on a store with these keys. */
async function start(stored: KeyRecord[], isWelcome: boolean, configured?: string) {
  const added: Parameters<KeyStore['add']>[0][] = []
  const keys: KeyStore = {
    find: async hash => (hash === record.hash ? stored[0] : undefined),
    list: async () => stored,
    add: async one => void added.push(one),
    revoke: async () => false,
    recordUses: async () => {},
  }
  const observe = mock()
  const config = loadConfig({}, configured === undefined ? {} : { PETSTORE_SERVER_API_KEY: configured })
  const first = await storeFirstKey(keys, config, isWelcome, observe)
  return { first, added, events: observe.mock.calls.map(([{ kind }]) => kind) }
}

test.each<[what: string, stored: KeyRecord[], configured: string | undefined, isValid: boolean]>([
  ['no key', [], undefined, false],
  ['a valid key', [valid], undefined, true],
  ['only a revoked key', [revoked], undefined, false],
  ['only a key of the settings', [], key, true],
  ['only a key of the settings that was revoked', [revoked], key, false],
])(
  'after a start with %s, a key is valid, or shown to a person, or missed in the log',
  async (_what, stored, configured, isValid) => {
    const silent = await start(stored, false, configured)
    expect(silent).toEqual({ first: undefined, added: [], events: isValid ? [] : ['no-api-key'] })
    const { first, added, events } = await start(stored, true, configured)
    expect(events).toEqual([])
    expect(added.map(({ name, hash }) => [name, hash])).toEqual(
      isValid ? [] : [['first key', hashOfKey(first ?? '')]],
    )
  },
)

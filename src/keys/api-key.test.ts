import { describe, expect, test } from 'bun:test'
import {
  checksum,
  environmentOfKey,
  generateApiKey,
  hashOfKey,
  hintOfKey,
  isUsable,
  newKey,
  withoutKeys,
} from './api-key.ts'

describe('an API key', () => {
  test.each([
    ['production', /^pets_live_[0-9A-Za-z]{33}$/],
    ['staging', /^pets_test_[0-9A-Za-z]{33}$/],
  ] as const)(
    'tells that it is of %s, and is its prefix and 33 characters of base 62',
    (environment, form) => {
      for (let n = 0; n < 200; n++) {
        const key = generateApiKey(environment)
        expect([key, environmentOfKey(key)]).toEqual([expect.stringMatching(form), environment])
      }
    },
  )

  test('with a character mistyped, or two neighbours swapped, is told without a look-up', () => {
    const key = generateApiKey('production')
    for (let at = 0; at < key.length; at++) {
      const swapped = `${key.charAt(at + 1)}${key[at]}`
      const wrong = ['x', 'Y', '7'].map(other => key.slice(0, at) + other + key.slice(at + 1))
      for (const text of [...wrong, key.slice(0, at) + swapped + key.slice(at + 2)])
        if (text !== key) expect(environmentOfKey(text)).toBeUndefined()
    }
  })

  test('carries 160 random bits: every character of the random part varies', () => {
    const keys = Array.from({ length: 300 }, () => generateApiKey('production'))
    expect(new Set(keys).size).toBe(300)
    for (let at = 'pets_live_'.length + 1; at < 37; at++)
      expect(new Set(keys.map(key => key[at])).size).toBeGreaterThan(30)
  })

  test('has an id that no other has', () => {
    const ids = Array.from({ length: 300 }, () => newKey('production', 'x').record.id)
    expect(new Set(ids).size).toBe(300)
  })

  test('ends with its CRC-32 in base 62, as keys of all releases do', () => {
    // The check value of CRC-32, 0xCBF43926.
    expect(checksum('123456789')).toBe('3jZRME')
  })

  test('is usable until it expires or is revoked', () => {
    const at = (ms: number) => new Date(Date.now() + ms)
    const keys = [{}, { expiresAt: at(60_000) }, { expiresAt: at(0) }, { revokedAt: at(0) }]
    const usable = keys.map(key => isUsable({ revokedAt: undefined, expiresAt: undefined, ...key }))
    expect(usable).toEqual([true, true, false, false])
  })

  test('is stored as SHA-256 and hinted at by four characters', () => {
    const key = generateApiKey('production')
    expect(hashOfKey(key)).toMatch(/^[0-9a-f]{64}$/)
    expect(hashOfKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
    expect(hintOfKey(key)).toBe(`${key.slice(0, 14)}…`)
  })

  test('is hidden in a text, whether it is whole, cut short or too long', () => {
    const key = generateApiKey('staging')
    const text = `${key} ${key.slice(0, -1)}, "${key}x"`
    expect(withoutKeys(text)).toBe('pets_test_… pets_test_…, "pets_test_…"')
  })

  test.each(['', 'pets_live_', 'hunter2', 'pets_dev_00000000000000000000000000000000a', ' pets_live_'])(
    '%p is none',
    text => expect(environmentOfKey(text)).toBeUndefined(),
  )
})

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { kept } from './storage.ts'

let stored = new Map<string, string>()
let isBlocked = false
let isFull = false

function storage() {
  if (isBlocked) throw new Error('Access is denied.')
  return {
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, text: string) => {
      if (isFull) throw new Error('The quota is exceeded.')
      stored.set(name, text)
    },
    removeItem: (name: string) => void stored.delete(name),
  }
}

beforeEach(() => {
  stored = new Map()
  isBlocked = isFull = false
  for (const name of ['sessionStorage', 'localStorage'])
    Object.defineProperty(globalThis, name, { get: storage, configurable: true })
})
afterEach(() => {
  kept.settings.set(undefined)
  for (const name of ['sessionStorage', 'localStorage', 'window']) Reflect.deleteProperty(globalThis, name)
})

test('an entry is kept as text or JSON, and removed without a trace', () => {
  kept.settings.setJson({ hasShortcuts: false })
  expect([...stored]).toEqual([['petstore-settings', '{"hasShortcuts":false}']])
  expect(kept.settings.getJson()).toEqual({ hasShortcuts: false })
  kept.settings.set('not JSON')
  expect([kept.settings.get(), kept.settings.getJson()]).toEqual(['not JSON', undefined])
  kept.settings.setJson(undefined)
  expect([stored.size, kept.settings.get(), kept.settings.getJson()]).toEqual([0, undefined, undefined])
})

test('the key and what is typed stay in the tab, settings and the language in the browser', () => {
  const places: string[] = []
  for (const name of ['sessionStorage', 'localStorage']) {
    const get = () => ({ ...storage(), setItem: (entry: string) => void places.push(`${name} ${entry}`) })
    Object.defineProperty(globalThis, name, { get, configurable: true })
  }
  for (const one of Object.values(kept)) one.set('x')
  expect(places).toEqual([
    'sessionStorage petstore-api-key',
    'sessionStorage petstore-additions',
    'localStorage petstore-settings',
    'localStorage petstore-reference-language',
  ])
})

test('with blocked site data an entry lasts as long as the page', () => {
  stored.set('petstore-settings', 'before')
  isBlocked = true
  expect(kept.settings.get()).toBeUndefined()
  kept.settings.set('typed')
  expect(kept.settings.get()).toBe('typed')
  isBlocked = false
  kept.settings.set('kept')
  stored.set('petstore-settings', 'by another tab')
  expect(kept.settings.get()).toBe('by another tab')
})

test('if the storage is full, the page keeps the new entry until it is closed, not the old one', () => {
  kept.settings.set('before')
  isFull = true
  kept.settings.set('typed')
  expect(kept.settings.get()).toBe('typed')
})

test('a tab hears when another one changes the entry, or removes all of them', () => {
  const window = new EventTarget()
  Object.assign(globalThis, { window })
  const heard: unknown[] = []
  let key: string | null
  kept.settings.follow(() => heard.push(key))
  for (key of ['petstore-settings', 'petstore-api-key', null])
    window.dispatchEvent(Object.assign(new Event('storage'), { key }))
  expect(heard).toEqual(['petstore-settings', null])
})

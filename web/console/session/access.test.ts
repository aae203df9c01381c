import { afterEach, beforeEach, expect, test } from 'bun:test'
import { kept } from '../../storage.ts'
import type { ImportRun } from '../import/import-run.ts'
import { Access } from './access.ts'

let stored = new Map<string, string>()

const sessionStorage = {
  getItem: (name: string) => stored.get(name) ?? null,
  removeItem: (name: string) => void stored.delete(name),
  setItem: (name: string, text: string) => void stored.set(name, text),
}

beforeEach(() => {
  stored = new Map()
  Object.assign(globalThis, { document: { baseURI: 'http://store/' }, sessionStorage })
})
afterEach(() => {
  for (const name of ['document', 'sessionStorage']) Reflect.deleteProperty(globalThis, name)
})

const signedIn = (apiKey: string) => {
  const access = new Access()
  access.use(apiKey)
  if (!access.session) throw new Error('Nobody is signed in.')
  return { access, session: access.session }
}

/** What an import of the session was asked to do. */
function importOf(access: Access, stage: ImportRun['stage'], unsettled = 0): string[] {
  const asked: string[] = []
  const run = { stage, unsettled, pause: () => void asked.push('pause') }
  access.session?.importing.set(run as unknown as ImportRun)
  return asked
}

test('a key stays signed in after a reload, until it is refused, with the reason', () => {
  signedIn('one')
  const reloaded = new Access()
  expect(reloaded.session?.apiKey).toBe('one')
  reloaded.session?.leave('It was revoked.')
  expect([reloaded.session, reloaded.refusal, kept.apiKey.get()]).toEqual([
    undefined,
    'It was revoked.',
    undefined,
  ])
  expect(new Access().session).toBeUndefined()
})

test('a late response about an earlier key does not sign out the present one', () => {
  const { access, session } = signedIn('one')
  session.signOut()
  access.use('two')
  session.leave('It was revoked.')
  expect([access.session?.apiKey, access.refusal, kept.apiKey.get()]).toEqual(['two', undefined, 'two'])
})

test('another key has its own list, which shows what an earlier one has added late', () => {
  const { access, session } = signedIn('one')
  session.leave('It was revoked.')
  expect(session.additions.index).toBeUndefined()
  access.use('two')
  expect(access.refusal).toBeUndefined()
  expect(access.session?.index).not.toBe(session.index)
  expect(access.session?.additions).toBe(session.additions)
  expect(session.additions.index).toBe(access.session?.index)
})

test('an import pauses with its key; its report outlasts a sign-out if animals may have been added', () => {
  for (const [unsettled, isKept] of [
    [0, false],
    [2, true],
  ] as const) {
    const { access, session } = signedIn('one')
    const asked = importOf(access, 'running', unsettled)
    expect(access.isImporting).toBe(true)
    session.signOut()
    expect([access.session, session.importing.value !== undefined]).toEqual([undefined, isKept])
    expect([asked.length > 0, access.isImporting]).toEqual([true, isKept])
  }
})

test.each([
  ['preview', 0, false],
  ['running', 0, true],
  ['paused', 1, true],
  ['paused', 0, false],
  ['done', 0, false],
] as const)(
  'leaving the page during an import that is in %s, with %d unknown: asks %p',
  (stage, unsettled, asks) => {
    const { access } = signedIn('one')
    importOf(access, stage, unsettled)
    expect(access.isImporting).toBe(asks)
  },
)

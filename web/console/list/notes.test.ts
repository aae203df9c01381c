import { expect, jest, test } from 'bun:test'
import { Window } from 'happy-dom'
import { h, render } from 'preact'
import { act } from 'preact/test-utils'
import { Observed } from '../parts/hooks.ts'
import { SessionProvider } from '../session/session.ts'
import { ListingProvider } from './listing.ts'
import { Notes } from './notes.tsx'
import { NavigationProvider, viewOf } from './view.ts'

test('the note about an animal is shown for ten seconds, also if it takes the place of an earlier one', async () => {
  const page = new Window()
  const { document } = page
  const globals = { document, navigator: { onLine: true }, addEventListener: () => {} }
  const usual = { navigator: globalThis.navigator, addEventListener: globalThis.addEventListener }
  Object.assign(globalThis, globals)
  jest.useFakeTimers()
  try {
    const none = { attempts: [], latest: undefined as object | undefined }
    const state = new Observed(none)
    const additions = { state, forgetNews: () => state.set(none) }
    const session = {
      additions,
      importing: new Observed(undefined),
      index: { state: new Observed({ news: [] }) },
    }
    const notes = h(ListingProvider, { value: { found: [], isShown: false } as never }, h(Notes, null))
    const inView = h(NavigationProvider, { value: { view: viewOf('', '') } as never }, notes)
    act(() => render(h(SessionProvider, { value: session as never }, inView), document.body as never))
    const add = (id: bigint) =>
      act(() => state.set({ attempts: [], latest: { outcome: { kind: 'added', pet: { id, name: 'Rex' } } } }))
    const shownAfter = (ms: number) => {
      act(() => void jest.advanceTimersByTime(ms))
      return document.body.textContent
    }
    add(1n)
    expect(shownAfter(9000)).toBe('Rex was added with ID 1.')
    add(2n)
    expect(shownAfter(9000)).toBe('Rex was added with ID 2.')
    expect(shownAfter(1000)).toBe('')
  } finally {
    jest.useRealTimers()
    act(() => render(null, document.body as never))
    Object.assign(globalThis, usual)
    Reflect.deleteProperty(globalThis, 'document')
    await page.happyDOM.close()
  }
})

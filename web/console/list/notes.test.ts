import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { closePage, draw, openPage } from '../../../tests/support/console.ts'
import { Observed } from '../parts/hooks.ts'
import { Notes } from './notes.tsx'
import { viewOf } from './view.ts'

beforeEach(() => {
  openPage()
  jest.useFakeTimers()
})
afterEach(async () => {
  jest.useRealTimers()
  await closePage()
})

test('the note about an animal is shown for ten seconds, also if it takes the place of an earlier one', () => {
  const none = { attempts: [], latest: undefined as object | undefined }
  const state = new Observed(none)
  const additions = { state, forgetNews: () => state.set(none) }
  const index = { state: new Observed({ news: [] }) }
  const session = { additions, importing: new Observed(undefined), index }
  const listing = { found: [], isShown: false }
  draw(h(Notes, null), { navigation: { view: viewOf('', '') }, session, listing })
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
})

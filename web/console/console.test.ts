import { afterAll, beforeAll, expect, test } from 'bun:test'
import { render } from 'preact'
import { act } from 'preact/test-utils'
import { closePage, openPage } from '../../tests/support/console.ts'
import { root } from '../page.ts'

beforeAll(async () => {
  openPage()
  document.body.innerHTML = '<div id="app"></div><div id="tried"></div>'
  await act(async () => void (await import('./console.tsx')))
})
afterAll(async () => {
  await act(() => render(null, root()))
  await closePage()
})

/** Whether an event at the `<i>` of a markup is kept from the browser, and from the page. */
function isKept(markup: string, event: Event): readonly [boolean, boolean] {
  const tried = document.getElementById('tried')
  if (tried) tried.innerHTML = markup
  const target = tried?.querySelector('i')
  let isSeen = false
  target?.addEventListener(event.type, () => (isSeen = true))
  target?.dispatchEvent(event)
  return [event.defaultPrevented, !isSeen]
}
const INIT = { bubbles: true, cancelable: true }

test.each([
  ['<button><i></i></button>', 2, true],
  ['<button><i></i></button>', 3, true],
  ['<button><i></i></button>', 1, false],
  ['<a href="#"><i></i></a>', 2, true],
  ['<details><summary><i></i></summary></details>', 2, true],
  // A double click selects a word.
  ['<p><i></i></p>', 2, false],
  ['<nav class="pager"><button><i></i></button></nav>', 2, false],
  ['<button class="sort"><i></i></button>', 2, false],
  ['<div class="sheet-foot"><button class="button-square"><i></i></button></div>', 2, false],
  ['<div class="sheet-foot"><button class="button"><i></i></button></div>', 2, true],
])('in %s, click number %d is ignored as a mistake: %p', (markup, detail, isMistake) => {
  for (const type of ['mousedown', 'click']) {
    const event = new MouseEvent(type, { ...INIT, detail })
    expect([type, ...isKept(markup, event)]).toEqual([type, isMistake, isMistake])
  }
})

test.each([
  ['Enter', true, true],
  ['Enter', false, false],
  ['Backspace', true, false],
  ['j', true, false],
])('the key %s, held down: %p, is ignored as a mistake: %p', (key, repeat, isMistake) => {
  const event = new KeyboardEvent('keydown', { ...INIT, key, repeat })
  expect(isKept('<button><i></i></button>', event)).toEqual([isMistake, isMistake])
})

test.each([
  [['Files'], true],
  [['text/plain', 'Files'], true],
  [['text/plain'], false],
])('what is dragged as %j does not replace the page: %p', (types, isKeptHere) => {
  for (const type of ['dragover', 'drop']) {
    const event = Object.assign(new Event(type, INIT), { dataTransfer: { types } })
    expect(isKept('<p><i></i></p>', event)).toEqual([isKeptHere, false])
  }
})

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { click, closePage, draw, openPage } from '../../../tests/support/console.ts'
import { Sheet } from './sheet.tsx'

let closed = 0
beforeEach(() => {
  openPage()
  closed = 0
})
afterEach(closePage)

/** A sheet with one field. */
function open(isOnlyShown: boolean): HTMLDialogElement {
  const children = h('input', { type: 'text', value: 'Rex' })
  const navigation = { close: () => void closed++ }
  draw(h(Sheet, { title: 'Sheet', isOnlyShown, children }), { navigation })
  return document.querySelector('dialog') as HTMLDialogElement
}

test.each([
  [true, 1],
  [false, 0],
])(
  'a click outside closes a sheet that only shows something (%p); a click inside never does',
  (isOnlyShown, times) => {
    const dialog = open(isOnlyShown)
    click('.sheet-body')
    expect(closed).toBe(0)
    dialog.click()
    expect(closed).toBe(times)
  },
)

test('a sheet that only shows something focuses its heading, and any other selects the text of its first field', () => {
  open(true)
  expect(document.activeElement?.id).toBe('sheet-title')
  draw(null)
  open(false)
  const field = document.activeElement as HTMLInputElement
  expect([field.type, field.selectionStart, field.selectionEnd]).toEqual(['text', 0, 3])
})

test('when the browser closes the dialog, the sheet closes, but not when a file field in it is cancelled', () => {
  const dialog = open(false)
  const tell = (target: Element | null, type: string) =>
    act(() => void target?.dispatchEvent(new Event(type, { bubbles: true })))
  tell(dialog.querySelector('input'), 'cancel')
  expect(closed).toBe(0)
  tell(dialog, 'cancel')
  expect(closed).toBe(1)
  tell(dialog, 'close')
  expect(closed).toBe(2)
})

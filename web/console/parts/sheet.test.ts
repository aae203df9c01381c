import { afterEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { h, render } from 'preact'
import { act } from 'preact/test-utils'
import { NavigationProvider } from '../list/view.ts'
import { Sheet } from './sheet.tsx'

let closed = 0
let page = new Window()

/** A sheet with one field. */
async function open(isOnlyShown: boolean): Promise<HTMLDialogElement> {
  closed = 0
  page = new Window()
  const { document, HTMLInputElement } = page
  Object.assign(globalThis, { document, HTMLInputElement })
  const children = h('input', { type: 'text', value: 'Rex' })
  const value = { close: () => void closed++ } as never
  const sheet = h(NavigationProvider, {
    value,
    children: h(Sheet, { title: 'Sheet', isOnlyShown, children }),
  })
  await act(() => render(sheet, document.body as never))
  return document.querySelector('dialog') as never
}
afterEach(async () => {
  await act(() => render(null, document.body))
  for (const name of ['document', 'HTMLInputElement']) Reflect.deleteProperty(globalThis, name)
})

test.each([
  [true, 1],
  [false, 0],
])(
  'a click outside closes a sheet that is only shown (%p), and one inside none',
  async (isOnlyShown, times) => {
    const dialog = await open(isOnlyShown)
    dialog.querySelector<HTMLElement>('.sheet-body')?.click()
    expect(closed).toBe(0)
    dialog.click()
    expect(closed).toBe(times)
  },
)

test('a sheet that only shows something focuses its heading, and any other selects the text of its first field', async () => {
  await open(true)
  expect(document.activeElement?.id).toBe('sheet-title')
  await open(false)
  const field = document.activeElement as HTMLInputElement
  expect([field.type, field.selectionStart, field.selectionEnd]).toEqual(['text', 0, 3])
})

test('a sheet that the browser closes is closed, unless only a file field in it was left', async () => {
  const dialog = await open(false)
  const tell = (target: Element | null, type: string) =>
    act(() => void target?.dispatchEvent(new page.Event(type, { bubbles: true }) as never))
  await tell(dialog.querySelector('input'), 'cancel')
  expect(closed).toBe(0)
  await tell(dialog, 'cancel')
  expect(closed).toBe(1)
  await tell(dialog, 'close')
  expect(closed).toBe(2)
})

import { expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { h, render } from 'preact'
import { act } from 'preact/test-utils'
import { Menu } from './menu.tsx'

test('in a page that is scrolled a menu opens at its button, and goes with it when the window changes', async () => {
  const page = new Window()
  const scrolled = { document: page.document, scrollX: 20, scrollY: 300 }
  Object.assign(globalThis, scrolled)
  try {
    const { body } = globalThis.document
    await act(() => render(h(Menu, { label: 'Sort', icon: 'sliders', items: [] }), body))
    const [button, menu] = ['button', '.menu'].map(part => body.querySelector<HTMLElement>(part))
    const at = (right: number, bottom: number) => () => ({ right, bottom }) as DOMRect
    Object.assign(button ?? {}, { getBoundingClientRect: at(500, 40) })
    button?.click()
    expect(menu?.style.cssText).toBe('--right: 520px; --bottom: 340px;')
    Object.assign(button ?? {}, { getBoundingClientRect: at(200, 80) })
    dispatchEvent(new Event('resize'))
    expect(menu?.style.cssText).toBe('--right: 220px; --bottom: 380px;')
  } finally {
    await act(() => render(null, globalThis.document.body))
    await page.happyDOM.close()
    for (const name of Object.keys(scrolled)) Reflect.deleteProperty(globalThis, name)
  }
})

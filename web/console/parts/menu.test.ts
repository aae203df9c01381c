import { afterEach, beforeEach, expect, test } from 'bun:test'
import { h } from 'preact'
import { closePage, draw, openPage } from '../../../tests/support/console.ts'
import { Menu } from './menu.tsx'

beforeEach(() => openPage())
afterEach(closePage)

test('in a page that is scrolled a menu opens at its button, and goes with it when the window changes', () => {
  Object.assign(globalThis, { scrollX: 20, scrollY: 300 })
  draw(h(Menu, { label: 'Sort', icon: 'sliders', items: [] }))
  const [button, menu] = ['button', '.menu'].map(part => document.querySelector<HTMLElement>(part))
  const at = (right: number, bottom: number) => () => ({ right, bottom }) as DOMRect
  Object.assign(button ?? {}, { getBoundingClientRect: at(500, 40) })
  button?.click()
  expect(menu?.style.cssText).toBe('--right: 520px; --bottom: 340px;')
  Object.assign(button ?? {}, { getBoundingClientRect: at(200, 80) })
  dispatchEvent(new Event('resize'))
  expect(menu?.style.cssText).toBe('--right: 220px; --bottom: 380px;')
})

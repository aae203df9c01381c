import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type ComponentChild, h } from 'preact'
import { closePage, draw, openPage } from '../../../tests/support/console.ts'
import { Name, Status } from './labels.tsx'

beforeEach(() => openPage())
afterEach(closePage)

function shown(what: ComponentChild): HTMLElement {
  draw(what)
  return document.body
}

test.each([
  ['Señor 木 🐈', 'Señor 木 🐈'],
  // Joiners within emoji and words, and the tags of a flag, are part of the text.
  ['👩\u200d👧', '👩\u200d👧'],
  ['می\u200cخ', 'می\u200cخ'],
  ['🏴\u{e0067}\u{e007f}', '🏴\u{e0067}\u{e007f}'],
  // Where nothing can be seen, they are not.
  ['\u200d', 'U+200D'],
  [' \u200c ', ' U+200C '],
  ['\u{e0067}', 'U+E0067'],
  ['a\tb\n\nc', 'a⇥b↵×2c'],
  ['\u0000\u0007', 'U+0000U+0007'],
  ['a\u2028b\u2029c', 'aU+2028bU+2029c'],
  ['\ue000\u{10ffff}', 'U+E000U+10FFFF'],
  ['\u2800\u3164\u115f\u1160', 'U+2800U+3164U+115FU+1160'],
])('every character of the name %j is visible', (name, text) =>
  expect(shown(h(Name, { name })).textContent).toBe(text),
)

test('a name has the direction of its own script, whatever surrounds it', () =>
  expect(shown(h(Name, { name: 'Rex' })).querySelector('bdi')?.dir).toBe('auto'))

test('each status has its own shape beside its word, and one of a later release has a ring', () => {
  const shapes = ['available', 'pending', 'sold', 'later'].map(status => {
    const { textContent, innerHTML } = shown(h(Status, { status: status as never }))
    return [textContent, innerHTML.replaceAll(status, '')] as const
  })
  expect(shapes.map(([word]) => word)).toEqual(['available', 'pending', 'sold', 'later'])
  const [available, pending, sold, later] = shapes.map(([, shape]) => shape)
  expect(new Set([available, pending, sold]).size).toBe(3)
  expect(later).toBe(String(available))
  expect(
    shown(h(Status, { status: 'sold' }))
      .querySelector('svg')
      ?.getAttribute('aria-hidden'),
  ).toBe('true')
})

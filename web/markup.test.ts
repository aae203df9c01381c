import { expect, test } from 'bun:test'
import { html, icon, inline, paragraphs } from './markup.ts'

test('inserted text cannot become markup, in an element or in an attribute', () => {
  const text = `<b title="x">'&amp;'</b>`
  const escaped = `&lt;b title=&quot;x&quot;&gt;'&amp;amp;'&lt;/b&gt;`
  expect(html`<i title="${text}">${[text, 0, false, undefined, inline(text)]}</i>`.text).toBe(
    `<i title="${escaped}">${escaped}0${escaped}</i>`,
  )
})

test('code ends at the next backtick, and what is in it stays escaped', () =>
  expect(inline('`<` or `c`, **d**').text).toBe('<code>&lt;</code> or <code>c</code>, <strong>d</strong>'))

test('an empty line ends a paragraph, the end of a line does not', () => {
  const markup = paragraphs('\na\nb\n`c`, **d** and **e**\n\n\nf < g\n').map(({ text }) => text)
  const first = 'a b <code>c</code>, <strong>d</strong> and <strong>e</strong>'
  expect(markup).toEqual([`<p>${first}</p>`, '<p>f &lt; g</p>'])
})

test('each icon has its own picture, which is not read aloud', () => {
  const [copy, right] = [icon('copy').text, icon('right').text]
  expect(copy).not.toBe(right)
  for (const each of [copy, right]) expect(each).toContain('aria-hidden="true"')
})

import { expect, test } from 'bun:test'
import { html, inline } from './markup.ts'

test('inserted text cannot become markup, in an element or in an attribute', () => {
  const text = `<b title="x">'&amp;'</b>`
  const escaped = `&lt;b title=&quot;x&quot;&gt;'&amp;amp;'&lt;/b&gt;`
  expect(html`<i title="${text}">${[text, 0, false, undefined, inline(text)]}</i>`.text).toBe(
    `<i title="${escaped}">${escaped}0${escaped}</i>`,
  )
})

test('code ends at the next backtick, and what is in it stays escaped', () =>
  expect(inline('`<` or `c`, **d**').text).toBe('<code>&lt;</code> or <code>c</code>, <strong>d</strong>'))

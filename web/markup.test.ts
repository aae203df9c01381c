import { expect, test } from 'bun:test'
import { html, inline } from './markup.ts'

test('inserted text cannot become markup, in an element or in an attribute', () => {
  const text = `<b title="x">'&amp;'</b>`
  const escaped = `&lt;b title=&quot;x&quot;&gt;'&amp;amp;'&lt;/b&gt;`
  expect(html`<i title="${text}">${[text, 7, false, undefined, inline(text)]}</i>`.text).toBe(
    `<i title="${escaped}">${escaped}7${escaped}</i>`,
  )
})

/** Text that is already markup. Everything else is escaped when it is inserted. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | undefined | false | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, at) => text + partText(parts[at - 1]) + string))
}

function partText(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Markup) return part.text
  return Array.isArray(part) ? part.map(partText).join('') : escapeHtml(String(part))
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Renders the only Markdown that the contract uses: `code` and **bold**. */
export const inline = (text: string): Markup =>
  new Markup(
    escapeHtml(text)
      .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
      .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>'),
  )

/** Paragraphs are separated by empty lines. */
export const paragraphs = (markdown: string): Markup[] =>
  markdown
    .trim()
    .split(/\n{2,}/)
    .map(text => html`<p>${inline(text.replaceAll('\n', ' '))}</p>`)

/** Drawn on 16 by 16, as one line each. */
const ICONS = {
  copy: 'M5.5 5.5h8v8h-8zm5-3h-8v8',
  right: 'm6 3.5 4.5 4.5L6 12.5',
} as const

/** Always beside a word, or in a control with an `aria-label`. */
export const icon = (name: keyof typeof ICONS): Markup =>
  html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`

/** Text that is markup already; everything else is escaped when it becomes part of one. */
export class Markup {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

type Part = Markup | string | number | undefined | false | readonly Part[]

export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  return new Markup(strings.reduce((text, string, at) => text + textOf(parts[at - 1]) + string))
}

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (part instanceof Markup) return part.text
  return Array.isArray(part) ? part.map(textOf).join('') : escapeHtml(String(part))
}

export const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** What the contract's texts use of Markdown: `code` and **weight**. */
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

import { escapeHtml, html, Markup } from './markup.ts'
import { FIRST_REQUEST, INSTALL } from './samples/curl.ts'
import { KEY, type Topic } from './samples/topics.ts'
import { LANGUAGES, type Language } from './samples.ts'

export function samplesOf(topic: Topic, label: string): Markup {
  const languages = Object.entries<Language>(LANGUAGES)
  const button = ([id, { name }]: [string, Language]): Markup =>
    html`<button type="button" class="language" data-choose="${id}" aria-pressed="${String(id === 'curl')}">${name}</button>`
  const sample = ([id, language]: [string, Language]): Markup =>
    html`<pre tabindex="0" data-language="${id}" aria-label="${label} in ${language.name}"><code>${codeMarkup(language.samples[topic], language)}</code></pre>`
  return html`<figure class="sample card" data-topic="${topic}">
<figcaption class="sample-head row spread small muted"><span class="languages" role="group" aria-label="Language">${languages.map(button)}</span><button type="button" class="copy" aria-label="Copy this sample">Copy</button></figcaption>
${languages.map(sample)}
</figure>`
}

/** A command to paste, for new readers. */
const startSample = (
  topic: string,
  title: string,
  text: string,
): Markup => html`<figure class="sample card" data-topic="${topic}">
<figcaption class="sample-head row spread small muted"><span>${title}</span> <button type="button" class="copy" aria-label="Copy this sample">Copy</button></figcaption>
<pre tabindex="0" aria-label="${title}"><code>${codeMarkup(text, LANGUAGES.curl)}</code></pre>
</figure>`

export const startSamples = (): readonly Markup[] => [
  startSample('start', 'The first request', FIRST_REQUEST),
  startSample('install', 'The TypeScript client', INSTALL),
]

/** The key is marked, so that the page's script can insert the key of a reader who is signed in. */
const codeMarkup = (text: string, { key }: Language): Markup =>
  new Markup(escapeHtml(text).replaceAll(KEY, `<span data-key>${escapeHtml(key)}</span>`))

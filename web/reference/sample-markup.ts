import { PETS_PATH } from '../../src/contract/servers.ts'
import { BASE, SITE } from '../document.ts'
import { html, icon, type Markup } from '../markup.ts'
import { highlighted } from './highlight.ts'
import { LANGUAGES, type LanguageId, type Topic } from './samples.ts'

const LANGUAGE_IDS = Object.keys(LANGUAGES) as LanguageId[]
const FIRST_REQUEST = `curl '${BASE}${PETS_PATH}' \\
  -H "Authorization: Bearer $PETSTORE_API_KEY"`
/** A package from a URL is pinned by its hash, so `npm ci` would fail after an upgrade of the service. */
const INSTALL = `curl -O ${SITE}/client.tgz &&
  npm install ./client.tgz`

/** One program in every language. */
export const samplesOf = (topic: Topic, label: string): Markup =>
  figure(
    topic,
    html`<span class="languages" role="group" aria-label="Language">${LANGUAGE_IDS.map(
      id =>
        html`<button type="button" class="language" data-choose="${id}" aria-pressed="${String(id === 'curl')}">${LANGUAGES[id].name}</button>`,
    )}</span>${COPY}`,
    LANGUAGE_IDS.map(
      id =>
        html`<pre tabindex="0" data-language="${id}"${id !== 'curl' && html` hidden`} aria-label="${label} in ${LANGUAGES[id].name}"><code>${highlighted(LANGUAGES[id].samples[topic], id)}</code></pre>\n`,
    ),
  )

/** Commands to paste, for new readers. */
export const startSamples = (offersClient: boolean): readonly Markup[] => [
  startSample('start', 'The first request', FIRST_REQUEST),
  ...(offersClient ? [startSample('install', 'The TypeScript client', INSTALL)] : []),
]

const startSample = (topic: string, title: string, text: string): Markup =>
  figure(
    topic,
    html`<span>${title}</span>${COPY}`,
    html`<pre tabindex="0" aria-label="${title}"><code>${highlighted(text, 'curl')}</code></pre>`,
  )

const REASONS = { 200: 'OK', 201: 'Created' } as const

export const responseSample = (status: keyof typeof REASONS, body: unknown): Markup =>
  figure(
    'response',
    html`<span>Response</span><span><b class="code code-${String(status).slice(0, 1)}">${status}</b> ${REASONS[status]}</span>`,
    html`<pre tabindex="0" aria-label="A response with status ${status}"><code>${highlighted(JSON.stringify(body, null, 2), 'json')}</code></pre>`,
  )

/** Places for a request that the reader sends and for its response. The page's script fills them in. */
export const triedSamples = (): readonly Markup[] => [
  figure(
    'tried-request',
    html`<span>Request</span>${copyButton('Copy this request', 'Copy')}`,
    html`<pre tabindex="0" aria-label="The request as curl"></pre>`,
  ),
  figure(
    'tried-response',
    html`<span>Response</span><span><b class="code"></b> in <span class="try-time"></span> ms</span>`,
    html`<pre tabindex="0" aria-label="The body of the response"></pre>`,
  ),
  html`<details><summary>Headers</summary><pre class="wrapped"></pre></details>`,
]

const figure = (
  topic: string,
  head: Markup,
  code: Markup | Markup[],
): Markup => html`<figure class="sample card" data-topic="${topic}">
<figcaption class="sample-head row nowrap spread small muted">${head}</figcaption>
${code}</figure>
`

export const copyButton = (label: string, word: string, path?: string): Markup =>
  html`<button type="button" class="copy" aria-label="${label}"${path !== undefined && html` data-path="${path}"`}>${icon('copy')}<span>${word}</span></button>`

const COPY = copyButton('Copy this sample', 'Copy')

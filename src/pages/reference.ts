import type { Deprecation } from '../contract/deprecation.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, exampleOf } from '../contract/errors.ts'
import { guideSections } from '../contract/guide.ts'
import type { HeaderName } from '../contract/headers.ts'
import { EXAMPLES, petSchema } from '../contract/openapi.ts'
import { byStatus, headersOfErrors, NOT_MODIFIED } from '../contract/openapi-responses.ts'
import {
  dayOf,
  OPERATION_IDS,
  OPERATIONS,
  type Operation,
  type OperationId,
  VERSION,
} from '../contract/operations.ts'
import { DEFAULT_SERVERS, type Environment, VERSION_PREFIX } from '../contract/servers.ts'
import { loadPage, type Page } from './document.ts'
import { bodyFields, fieldList, parameterFields, tryIt } from './fields.ts'
import { escapeHtml, html, inline, type Markup, paragraphs } from './markup.ts'
import { samplesOf, startSamples } from './sample-markup.ts'
import { BASE, SITE, type Topic } from './samples/topics.ts'

/**
 * The reference as one page, made from the contract and readable without JavaScript. Unless a base URL is configured, the page's
 * script replaces the default one with the one that the page was loaded from.
 */
export const loadReference = (environment: Environment, baseUrl: string | undefined): Promise<Page> =>
  loadPage('reference', iconUrl => ({
    title: `Petstore reference · ${environment}`,
    body: withAddress(
      referenceBody(environment, baseUrl !== undefined, iconUrl).text,
      baseUrl ?? DEFAULT_SERVERS[environment],
    ),
  }))

function withAddress(page: string, baseUrl: string): string {
  const base = escapeHtml(baseUrl)
  const site = base.slice(0, -VERSION_PREFIX.length)
  return page
    .replaceAll(BASE, () => `<span data-address="v1">${base}</span>`)
    .replaceAll(SITE, () => `<span data-address=".">${site}</span>`)
}

const referenceBody = (environment: Environment, hasAddress: boolean, iconUrl: string): Markup => html`
<a class="skip" href="#content">Skip to the content</a>
<header class="header header-${environment}"><div class="header-row">
<a class="brand" href="./"><img src="${iconUrl}" alt="" width="24" height="24"><span class="roomy">Petstore</span></a>
<span class="environment environment-${environment}"><span class="hidden">Environment: </span>${environment}</span>
<nav aria-label="Pages"><a href="./">Console</a> <a href="docs" aria-current="page">Reference</a></nav>
</div></header>
<div class="reference" data-language="curl"${hasAddress && html` data-has-address`}>
${navigation()}
<main id="content">
<header class="intro">
<h1>API reference</h1>
<p class="muted">Version ${VERSION}</p>
</header>
${startSection()}
${OPERATION_IDS.map(id => operationSection(id, OPERATIONS[id]))}
${Object.entries(guideSections()).map(([title, text]) => guideSection(title, text))}
</main>
</div>
`

const navigation = (): Markup => html`<nav class="contents" aria-label="Contents">
<div class="search">
<label class="hidden" for="search">Search the reference</label>
<input id="search" class="input" type="search" placeholder="Search ( / )" autocomplete="off" spellcheck="false" aria-describedby="search-state" aria-keyshortcuts="/">
<p id="search-state" class="hidden" role="status"></p>
<ul class="found" hidden></ul>
</div>
<div class="contents-lists">
<ul><li><a href="#start">Start here</a></li></ul>
<p class="contents-title small muted" id="contents-operations">Operations</p>
<ul aria-labelledby="contents-operations">${OPERATION_IDS.map(id => {
  const { method, summary, deprecated }: Operation = OPERATIONS[id]
  const name = deprecated
    ? html`<s>${summary}</s><span class="hidden"> (deprecated)</span>`
    : html`<span>${summary}</span>`
  return html`<li><a href="#${id}"><span class="method method-${method}">${method}</span> ${name}</a></li>`
})}</ul>
<p class="contents-title small muted" id="contents-guide">Guide</p>
<ul aria-labelledby="contents-guide">${Object.keys(guideSections()).map(
  title => html`<li><a href="#${anchorOf(title)}">${title}</a></li>`,
)}</ul>
<p class="contents-title small muted" id="contents-files">OpenAPI document</p>
<ul aria-labelledby="contents-files"><li><a href="openapi.json">openapi.json</a></li></ul>
</div>
</nav>
`

/** Everything that a first request needs. */
const startSection =
  (): Markup => html`<section class="entry" id="start" data-search="Start here install client sdk base url">
<div class="entry-head">
<h2><a class="anchor" href="#start">Start here</a></h2>
<p>The base URL is <code>${BASE}</code>.</p>
<p>Every request carries an API key. The person who runs the service creates one with <code>petstore keys create</code>;
the samples read it from the variable <code>PETSTORE_API_KEY</code>.</p>
</div>
<div class="entry-code stack">${startSamples()}</div>
</section>
`

function operationSection(id: OperationId, operation: Operation): Markup {
  const { method, path, summary, description, body, success, deprecated } = operation
  const response = bodyFields({ ...petSchema(success.body), required: [] })
  return html`<section class="entry" id="${id}" data-search="${summary} ${id}">
<div class="entry-head">
<h2><a class="anchor" href="#${id}">${summary}</a>${deprecated && html` <span class="tag">deprecated</span>`}</h2>
<p><span class="method method-${method}">${method}</span> <code>${path}</code></p>
${deprecated ? deprecationNote(deprecated) : html`<p>${inline(description)}</p>`}
</div>
<div class="entry-code stack">
${samplesOf(id, `${summary}: sample`)}
<figure class="sample card">
<figcaption class="sample-head row spread small muted"><span>Response</span> <span class="code code-2">${success.status}</span></figcaption>
<pre tabindex="0" aria-label="A response with status ${success.status}"><code>${JSON.stringify(EXAMPLES[success.body], null, 2)}</code></pre>
</figure>
${tryIt(id, operation)}
</div>
<div class="entry-text">
${fieldList('Parameters', parameterFields(operation), `${id}-parameters`)}
${body && fieldList('Body', bodyFields(petSchema(body)), `${id}-body`)}
${fieldList(success.body === 'Pets' ? 'Each animal of the response' : 'Response', response, `${id}-response`)}
<h3 id="${id}-statuses">Statuses</h3>
<dl class="statuses">${statuses(operation)}</dl>
</div>
</section>
`
}

const deprecationNote = ({ since, sunset, replacement, difference }: Deprecation): Markup =>
  html`<p class="notice"><strong>Deprecated since ${dayOf(since)}; removal is announced for ${dayOf(sunset)}.</strong>
The replacement is <a href="#listPets">${replacement}</a>. ${inline(difference)} <a href="#deprecation">What changes until then</a>.</p>`

function statuses({ requestHeaders, success, errors, deprecated }: Operation): Markup[] {
  const headersOf = (names: readonly HeaderName[]): string[] => [
    'X-Request-Id',
    ...names,
    ...(deprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
  ]
  return [
    statusEntry(success.status, inline(success.description), headersOf(success.headers)),
    ...(requestHeaders.includes('If-None-Match')
      ? [statusEntry(304, inline(NOT_MODIFIED), headersOf(success.headers))]
      : []),
    ...byStatus(errors)
      .toSorted(([one], [other]) => one - other)
      .map(([status, codes]) => statusEntry(status, codes.map(codeLine), headersOf(headersOfErrors(codes)))),
  ]
}

const codeLine = (code: ErrorCode): Markup =>
  html`<a href="#errors-${code}"><code>${code}</code></a> ${ERRORS[code].when}<br>`

const statusEntry = (
  status: number,
  text: Markup | Markup[],
  headers: readonly string[],
): Markup => html`<div class="status-entry">
<dt><span class="code code-${String(status).slice(0, 1)}">${status}</span></dt>
<dd>${text} <span class="small muted">Headers: ${[...new Set(headers)].join(', ')}</span></dd>
</div>
`

const SAMPLES_OF_GUIDE: Readonly<Record<string, Topic>> = {
  Pages: 'pages',
  'Safe retries': 'repeats',
  Errors: 'errors',
}

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

/** A section that applies to more than one operation. */
function guideSection(title: string, text: string): Markup {
  const topic = SAMPLES_OF_GUIDE[title]
  return html`<section class="entry" id="${anchorOf(title)}" data-search="${title}">
<div class="entry-head">
<h2><a class="anchor" href="#${anchorOf(title)}">${title}</a></h2>
${paragraphs(text)}
</div>
${topic && html`<div class="entry-code stack">${samplesOf(topic, `${title}: sample`)}</div>`}
${topic === 'errors' && html`<div class="errors">${ERROR_CODES.map(errorEntry)}</div>`}
</section>
`
}

function errorEntry(code: ErrorCode): Markup {
  const { status, when } = ERRORS[code]
  const operations = OPERATION_IDS.filter(id => (OPERATIONS[id] as Operation).errors.includes(code))
  return html`
<article class="error card stack" id="errors-${code}" data-search="${code} ${status}">
<h3><a class="anchor" href="#errors-${code}"><code>${code}</code></a> <span class="code code-${String(status).slice(0, 1)}">${status}</span></h3>
<p>${inline(when)}</p>
<p>For instance: <q>${exampleOf(code)}</q></p>
<p class="muted small">${
    operations.length > 0
      ? html`From ${operations.map((id, at) => html`${at > 0 && ', '}<a href="#${id}">${id}</a>`)}.`
      : 'Such a request reaches no operation.'
  }</p>
</article>`
}

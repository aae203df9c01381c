import type { Deprecation } from '../../src/contract/deprecation.ts'
import { ERROR_CODES, ERRORS, type ErrorCode, exampleOf } from '../../src/contract/errors.ts'
import { guideSections } from '../../src/contract/guide.ts'
import type { HeaderName } from '../../src/contract/headers.ts'
import { byStatus, EXAMPLES, headersOfErrors, NOT_MODIFIED, petSchema } from '../../src/contract/openapi.ts'
import {
  dayOf,
  OPERATION_IDS,
  OPERATIONS,
  type Operation,
  type OperationId,
  VERSION,
} from '../../src/contract/operations.ts'
import { VERSION_PREFIX } from '../../src/contract/servers.ts'
import { type Assets, BASE, documentOf, HAS_ADDRESS, SITE } from '../document.ts'
import { html, inline, type Markup, paragraphs } from '../markup.ts'
import { bodyFields, fieldList, parameterFields, tryIt } from './fields.ts'
import { copyButton, responseSample, samplesOf, startSamples } from './sample-markup.ts'
import type { Topic } from './samples.ts'

/** One page, readable without JavaScript. Its script replaces the service's own URL with the one it was loaded from. */
export const referenceDocument = (assets: Assets, offersClient: boolean): string =>
  documentOf('reference', assets, bodyOf(offersClient))
    .replaceAll(BASE, `<span data-address="v1">${BASE}</span>`)
    .replaceAll(SITE, `<span data-address=".">${SITE}</span>`)

const bodyOf = (offersClient: boolean): Markup => html`
<div class="reference"${HAS_ADDRESS}>
${contents()}
<main id="content">
<header class="intro row">
<h1>API reference</h1>
<p class="muted">Version ${VERSION}</p>
</header>
${startSection(offersClient)}
${OPERATION_IDS.map(id => operationSection(id, OPERATIONS[id]))}
${Object.entries(guideSections()).map(([title, text]) => guideSection(title, text))}
</main>
</div>
<p id="copy-state" class="hidden" role="status"></p>
`

const contents = (): Markup => html`<nav class="contents" aria-label="Contents">
<div class="contents-lists">
<ul><li><a href="#start">Start here</a></li></ul>
${list('operations', 'Operations', OPERATION_IDS.map(operationLink))}
${list(
  'guide',
  'Guide',
  Object.keys(guideSections()).map(title => html`<a href="#${anchorOf(title)}">${title}</a>`),
)}
${list('files', 'OpenAPI document', [html`<a href="openapi.json">openapi.json</a>`])}
</div>
</nav>
`

const list = (
  id: string,
  title: string,
  links: readonly Markup[],
): Markup => html`<p class="contents-title small dim" id="contents-${id}">${title}</p>
<ul aria-labelledby="contents-${id}">${links.map(link => html`<li>${link}</li>`)}</ul>`

function operationLink(id: (typeof OPERATION_IDS)[number]): Markup {
  const { method, summary, deprecated }: Operation = OPERATIONS[id]
  const name = deprecated
    ? html`<s>${summary}</s><span class="hidden"> (deprecated)</span>`
    : html`<span>${summary}</span>`
  return html`<a href="#${id}"><span class="method">${method}</span> ${name}</a>`
}

/** Everything that a first request needs. */
const startSection = (offersClient: boolean): Markup => html`<section class="entry" id="start" tabindex="-1">
<div class="entry-head stack">
<h2><a class="anchor" href="#start">Start here</a></h2>
<p>The base URL is <code>${BASE}</code>.</p>
<p>Every request carries an API key. The person who runs the service creates one with <code>petstore keys create</code>;
the samples read it from the variable <code>PETSTORE_API_KEY</code>.</p>
</div>
<div class="entry-code stack">${startSamples(offersClient)}</div>
</section>
`

function operationSection(id: OperationId, operation: Operation): Markup {
  const { method, path, summary, description, body, success, deprecated } = operation
  const response = bodyFields({ ...petSchema(success.body), required: [] })
  return html`<section class="entry" id="${id}" tabindex="-1">
<div class="entry-head stack">
<h2><a class="anchor" href="#${id}">${summary}</a>${deprecated && html` <span class="tag small">deprecated</span>`}</h2>
<p class="endpoint card row"><span class="method">${method}</span> <code>${VERSION_PREFIX}${path}</code>${copyButton('Copy the URL', '', path)}</p>
${deprecated ? deprecationNote(deprecated) : html`<p>${inline(description)}</p>`}
</div>
<div class="entry-code stack">
${samplesOf(id, `${summary}: sample`)}
${responseSample(success.status, EXAMPLES[success.body])}${tryIt(id, operation)}
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

function statuses({ method, success, errors, deprecated }: Operation): Markup[] {
  const headersOf = (names: readonly HeaderName[]): string[] => [
    'X-Request-Id',
    ...names,
    ...(deprecated ? ['Deprecation', 'Sunset', 'Link'] : []),
  ]
  return [
    statusEntry(success.status, inline(success.description), headersOf(success.headers)),
    ...(method === 'GET' ? [statusEntry(304, inline(NOT_MODIFIED), headersOf(success.headers))] : []),
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
): Markup => html`<div>
<dt><span class="mono code code-${String(status).slice(0, 1)}">${status}</span></dt>
<dd>${text} <span class="small muted">Headers: ${[...new Set(headers)].join(', ')}</span></dd>
</div>
`

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

const SAMPLES_OF_GUIDE: Readonly<Record<string, Topic>> = {
  Pages: 'pages',
  'Safe retries': 'repeats',
  Errors: 'errors',
}

/** A section that applies to more than one operation. */
function guideSection(title: string, text: string): Markup {
  const topic = SAMPLES_OF_GUIDE[title]
  const id = anchorOf(title)
  return html`<section class="entry" id="${id}" tabindex="-1">
<div class="entry-head stack">
<h2><a class="anchor" href="#${id}">${title}</a></h2>
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
<article class="error card stack" id="errors-${code}" tabindex="-1">
<h3 class="row spread"><a class="anchor" href="#errors-${code}"><code>${code}</code></a> <span class="code code-${String(status).slice(0, 1)}">${status}</span></h3>
<p>${inline(when)}</p>
<p>For instance: <q>${exampleOf(code)}</q></p>
<p class="muted small">${
    operations.length > 0
      ? html`From ${operations.map((id, at) => html`${at > 0 && ', '}<a href="#${id}">${id}</a>`)}.`
      : 'Such a request reaches no operation.'
  }</p>
</article>`
}

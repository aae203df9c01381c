import { ERROR_CODES, ERRORS, exampleOf } from '../contract/errors.ts'
import { GUIDE, sectionsOfGuide } from '../contract/guide.ts'
import { openApi } from '../contract/openapi.ts'
import { operationsWith } from '../contract/operations.ts'
import { DEFAULT_SERVERS, type Environment } from '../contract/servers.ts'
import { type Description, operationsOf, type Placed } from './description.ts'
import { loadPage, type Page } from './document.ts'
import { html, inline, type Markup, paragraphs } from './markup.ts'
import { operationSection } from './reference-operation.ts'
import type { Topic } from './sample-code.ts'
import { firstRequest, type SampleTarget, samplesOf } from './samples.ts'

/** The reference as one page that can be read without code: all of it comes from the description. */
export function loadReference(environment: Environment, baseUrl: string | undefined): Promise<Page> {
  const place = { baseUrl: baseUrl ?? DEFAULT_SERVERS[environment], isConfigured: baseUrl !== undefined }
  return loadPage('reference', iconUrl => ({
    title: `Petstore reference · ${environment}`,
    body: referenceBody(environment, place, iconUrl).text,
  }))
}

function referenceBody(environment: Environment, place: SampleTarget, iconUrl: string): Markup {
  const description = openApi({ ...DEFAULT_SERVERS, [environment]: place.baseUrl }) as unknown as Description
  const operations = operationsOf(description)
  return html`
<a class="skip" href="#content">Skip to the content</a>
<header class="header header-${environment}"><div class="header-row">
<a class="brand" href="./"><img src="${iconUrl}" alt="" width="24" height="24"><span class="roomy">Petstore</span></a>
<span class="environment environment-${environment}"><span class="hidden">Environment: </span>${environment}</span>
<nav aria-label="Pages"><a href="./">Console</a> <a href="docs" aria-current="page">Reference</a></nav>
</div></header>
<div class="reference" data-language="curl">
${navigation(operations)}
<main id="content">
<header class="intro">
<h1>API reference</h1>
<p class="muted">Version ${description.info.version}</p>
</header>
${start(place)}
${operations.map(placed => operationSection(description, placed, place))}
${guideSections(place)}
</main>
</div>
`
}

/** All that a first request needs, before anything else. */
const start = (
  place: SampleTarget,
): Markup => html`<section class="entry" id="start" data-search="Start here install client sdk base url">
<div class="entry-head">
<h2><a class="anchor" href="#start">Start here</a></h2>
<p>The base URL is <code>${
  place.isConfigured ? place.baseUrl : html`<span data-base>${place.baseUrl}</span>`
}</code>.</p>
<p>Every request carries an API key. The person who runs the service makes one with <code>petstore keys create</code>;
the samples take it from the variable <code>PETSTORE_API_KEY</code>.</p>
</div>
<div class="entry-code stack">${firstRequest(place)}</div>
</section>
`

const navigation = (
  operations: readonly Placed[],
): Markup => html`<nav class="contents" aria-label="Contents">
<div class="search">
<label class="hidden" for="search">Search the reference</label>
<input id="search" class="input" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="search-state" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
<p id="search-state" class="hidden" role="status"></p>
<ul class="found" hidden></ul>
</div>
<div class="contents-lists">
<ul><li><a href="#start">Start here</a></li></ul>
<p class="contents-title" id="contents-operations">Operations</p>
<ul aria-labelledby="contents-operations">${operations.map(
  ({ method, operation }) =>
    html`<li><a href="#${operation.operationId}"><span class="method method-${method}">${method}</span> <span${
      operation.deprecated && html` class="is-deprecated"`
    }>${operation.summary}</span>${operation.deprecated && html`<span class="hidden"> (deprecated)</span>`}</a></li>`,
)}</ul>
<p class="contents-title" id="contents-guide">Guide</p>
<ul aria-labelledby="contents-guide">${(Object.keys(GUIDE) as (keyof typeof GUIDE)[]).map(
  section => html`<li><a href="#${anchorOf(section)}">${GUIDE[section]}</a></li>`,
)}</ul>
<p class="contents-title" id="contents-files">Description</p>
<ul aria-labelledby="contents-files"><li><a href="openapi.json">openapi.json</a></li></ul>
</div>
</nav>
`

const SAMPLE: Partial<Record<keyof typeof GUIDE, Topic>> = {
  pages: 'pages',
  safeRepeats: 'repeats',
  errors: 'errors',
}

const anchorOf = (section: keyof typeof GUIDE): string => GUIDE[section].toLowerCase().replaceAll(' ', '-')

/** What holds for more than one operation. */
const guideSections = (place: SampleTarget): Markup[] =>
  Object.entries(sectionsOfGuide()).map(([name, text]) => {
    const section = name as keyof typeof GUIDE
    const title = GUIDE[section]
    const topic = SAMPLE[section]
    return html`<section class="entry" id="${anchorOf(section)}" data-search="${title}">
<div class="entry-head">
<h2><a class="anchor" href="#${anchorOf(section)}">${title}</a></h2>
${paragraphs(text)}
</div>
${topic && html`<div class="entry-code stack">${samplesOf(topic, `${title}: sample`, place)}</div>`}
${section === 'errors' && errorList()}
</section>
`
  })

const errorList = (): Markup =>
  html`<div class="errors">${ERROR_CODES.map(code => {
    const { status, when, remedy } = ERRORS[code]
    const operations = operationsWith(code)
    return html`
<article class="error card stack" id="errors-${code}" data-search="${code} ${status}">
<h3><a class="anchor" href="#errors-${code}"><code>${code}</code></a> <span class="code code-${String(status).slice(0, 1)}">${status}</span></h3>
<p>${inline(when)}</p>
<p><strong>What to do.</strong> ${inline(remedy)}</p>
<p class="muted small">${
      operations.length > 0
        ? html`From ${operations.map((id, at) => html`${at > 0 && ', '}<a href="#${id}">${id}</a>`)}.`
        : 'Such a request reaches no operation.'
    } For instance: <q>${exampleOf(code)}</q></p>
</article>`
  })}</div>`

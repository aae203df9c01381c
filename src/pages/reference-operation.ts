import { ERRORS, type ErrorCode } from '../contract/errors.ts'
import { type DeprecatedOperation, dayOf, deprecations } from '../contract/operations.ts'
import {
  type DescribedResponse,
  type Description,
  nameOf,
  type Placed,
  resolved,
  responsesOf,
  type Schema,
} from './description.ts'
import { fieldList, ofAnswer, ofParameters, ofSchema, tryIt } from './fields.ts'
import { html, inline, type Markup } from './markup.ts'
import type { Topic } from './sample-code.ts'
import { type SampleTarget, samplesOf } from './samples.ts'

export function operationSection(description: Description, placed: Placed, place: SampleTarget): Markup {
  const { method, path, operation } = placed
  const { operationId, summary, parameters, requestBody } = operation
  const responses = responsesOf(description, operation)
  const body = requestBody && resolved(description, requestBody.content['application/json'].schema)
  const deprecation = deprecations().find(({ operation }) => operation === operationId)
  return html`<section class="entry" id="${operationId}" data-search="${summary} ${operationId}">
<div class="entry-head">
<h2><a class="anchor" href="#${operationId}">${summary}</a>${
    deprecation && html` <span class="tag">deprecated</span>`
  }</h2>
<p class="endpoint"><span class="method method-${method}">${method}</span> <code>${path}</code></p>
${deprecation ? deprecationNote(deprecation) : html`<p>${inline(operation.description)}</p>`}
</div>
<div class="entry-code stack">
${samplesOf(operationId as Topic, `${summary}: sample`, place)}
${success(responses)}
${tryIt(placed, description)}
</div>
<div class="entry-text">
${parameters.length > 0 && fieldList(description, 'Parameters', ofParameters(parameters), `${operationId}-parameters`)}
${body && fieldList(description, 'Body', ofSchema(body), `${operationId}-body`)}
${answers(description, operationId, responses)}
</div>
</section>
`
}

const deprecationNote = ({ since, sunset, replacement }: DeprecatedOperation): Markup =>
  html`<p class="notice"><strong>Deprecated since ${dayOf(since)}; removal scheduled for ${dayOf(sunset)}.</strong>
Use <a href="#listPets">${replacement}</a> instead. <a href="#deprecation">What changes until then</a>.</p>`

type Responses = ReturnType<typeof responsesOf>

/** The body of the response that is hoped for. */
function success([first]: Responses): Markup | undefined {
  const [status, response] = first ?? []
  const example = response?.content?.['application/json'].example
  if (example === undefined) return undefined
  return html`<figure class="sample card">
<figcaption class="sample-head row spread"><span>Response</span> <span class="code code-2">${status}</span></figcaption>
<pre tabindex="0" aria-label="A response with status ${status}"><code>${JSON.stringify(example, null, 2)}</code></pre>
</figure>`
}

function answers(description: Description, operationId: string, responses: Responses): Markup {
  const [, first] = responses[0] ?? []
  const shape = first?.content?.['application/json'].schema
  const pet = shape && itemOf(description, resolved(description, shape))
  return html`${pet && fieldList(description, shape?.$ref?.endsWith('Pets') ? 'Each animal of the response' : 'Response', ofAnswer(pet), `${operationId}-answer`)}
<h3 id="${operationId}-statuses">Statuses</h3>
<dl class="statuses">${responses.map(([status, response]) => response && statusEntry(description, status, response))}</dl>
`
}

const itemOf = (description: Description, schema: Schema): Schema =>
  schema.items ? resolved(description, schema.items) : schema

function statusEntry(description: Description, status: string, response: DescribedResponse): Markup {
  const codes = Object.keys(response.content?.['application/json'].examples ?? {}) as ErrorCode[]
  return html`<div class="status-entry">
<dt><span class="code code-${status.slice(0, 1)}">${status}</span></dt>
<dd>${
    codes.length > 0
      ? codes.map(code => html`<a href="#errors-${code}"><code>${code}</code></a> ${ERRORS[code].when}<br>`)
      : inline(response.description)
  }${headersOf(description, response)}</dd>
</div>
`
}

const headersOf = (
  description: Description,
  { headers }: DescribedResponse,
): Markup => html`<details class="headers-of">
<summary>Headers</summary>
<dl class="fields">${Object.entries(headers).map(([name, reference]) => {
  const header = description.components.headers[nameOf(reference)]
  return html`<div class="field"><dt><code class="field-name">${name}</code>${
    header?.required ? html` <span class="field-type">always</span>` : ''
  }</dt><dd>${inline(header?.description ?? '')}<span class="facts"><span class="fact">Example <code>${String(header?.example)}</code></span></span></dd></div>`
})}</dl>
</details>`

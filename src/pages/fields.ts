import {
  type Description,
  type Parameter,
  type Placed,
  rangeOf,
  resolved,
  type Schema,
  typeOf,
} from './description.ts'
import { html, inline, type Markup } from './markup.ts'

/** A parameter of a request, or a field of a body. */
export interface Field {
  readonly name: string
  readonly place: Parameter['in'] | 'body'
  readonly schema: Schema
  readonly isRequired: boolean
  readonly description: string
  readonly example: unknown
}

/** Names, types, defaults, ranges and examples, one below the other: it reads the same on a phone. */
export function fieldList(
  description: Description,
  title: string,
  fields: readonly Field[],
  at: string,
): Markup {
  return html`<h3 id="${at}">${title}</h3>
<dl class="fields">${fields.map(field => fieldEntry(description, field, `${at}-${field.name}`))}</dl>
`
}

export const ofParameters = (parameters: readonly Parameter[]): Field[] =>
  parameters.map(({ in: place, required = false, ...rest }) => ({ ...rest, place, isRequired: required }))

export const ofSchema = ({ properties = {}, required = [] }: Schema): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    place: 'body',
    schema,
    isRequired: required.includes(name),
    description: schema.description ?? '',
    example: schema.examples?.[0],
  }))

/** Of what the service sends nothing is required of the reader. */
export const ofAnswer = (schema: Schema): Field[] =>
  ofSchema(schema).map(field => ({ ...field, isRequired: false }))

function fieldEntry(description: Description, field: Field, id: string): Markup {
  const schema = resolved(description, field.schema)
  const facts = [
    ['Default', schema.default],
    ['Range', rangeOf(schema)],
    ['Example', field.example ?? schema.examples?.[0]],
  ].filter(([, value]) => value !== undefined && value !== '')
  return html`<div class="field" id="${id}" data-search="${field.name}">
<dt><code class="field-name">${field.name}</code> <span class="field-type">${typeOf(schema)}</span>${
    field.isRequired && html` <span class="field-required">required</span>`
  }</dt>
<dd>${inline(field.description)}${facts.length > 0 && factList(facts)}</dd>
</div>
`
}

const factList = (facts: readonly (readonly unknown[])[]): Markup =>
  html`<span class="facts">${facts.map(
    ([name, value]) => html`<span class="fact">${String(name)} <code>${String(value)}</code></span> `,
  )}</span>`

/** A form that sends this one request. The page's code fills in the key and sends it; without code it is not shown. */
export function tryIt({ method, path, operation }: Placed, description: Description): Markup {
  const { operationId, summary, parameters, requestBody } = operation
  const body = requestBody && resolved(description, requestBody.content['application/json'].schema)
  const fields = [...ofParameters(parameters), ...(body ? ofSchema(body) : [])]
  return html`<details class="try card" data-operation="${operationId}">
<summary>Try it</summary>
<form data-method="${method}" data-path="${path}" aria-label="Try it: ${summary}" autocomplete="off">
<label class="try-field try-key">API key <input type="password" name="key" autocomplete="off" spellcheck="false"></label>
${fields.map(field => inputMarkup(operationId, field, resolved(description, field.schema)))}
${method === 'POST' && html`<p class="try-note">This adds an animal permanently: the API cannot remove one.</p>`}
<div class="row"><button type="submit" class="button">Send</button> <span class="try-state" role="status"></span></div>
</form>
<div class="try-answer" hidden></div>
</details>`
}

function inputMarkup(
  operationId: string,
  { name, place, isRequired, example = '' }: Field,
  schema: Schema,
): Markup {
  const id = `try-${operationId}-${name}`
  const isNumber = schema.type === 'integer'
  const value = isRequired ? String(example) : ''
  const control = schema.enum
    ? html`<select id="${id}" name="${name}" data-place="${place}"><option value="">not sent</option>${schema.enum.map(
        option => html`<option>${String(option)}</option>`,
      )}</select>`
    : html`<input id="${id}" name="${name}" data-place="${place}"${isNumber && html` data-number`} value="${value}" placeholder="${String(
        schema.default ?? '',
      )}" spellcheck="false">`
  return html`<div class="try-field"><label for="${id}"><code>${name}</code>${isRequired && html` <span class="field-required">required</span>`}</label>${control}</div>
`
}

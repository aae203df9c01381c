import {
  EXAMPLES,
  type Json,
  type ObjectSchema,
  PET_STATUS_SCHEMA,
  petSchema,
} from '../../src/contract/openapi.ts'
import type { Operation, OperationId, Parameter } from '../../src/contract/operations.ts'
import { html, icon, inline, type Markup } from '../markup.ts'
import { triedSamples } from './sample-markup.ts'

/** A parameter of a request, or a field of a body. */
type DocumentedField = Omit<Parameter, 'in' | 'required'> & {
  readonly in: Parameter['in'] | 'body'
  readonly required?: boolean
}

export const parameterFields = ({ parameters }: Operation): DocumentedField[] =>
  parameters.map(parameter => ({ ...parameter, schema: resolved(parameter.schema) }))

export const bodyFields = ({ properties, required }: ObjectSchema): DocumentedField[] =>
  Object.entries(properties).map(([name, property]) => {
    const schema = resolved(property)
    const description = String(schema.description)
    return {
      name,
      in: 'body',
      schema,
      required: required.includes(name),
      description,
      example: EXAMPLES.Pet[name],
    }
  })

/** The status is the only named schema. Keywords beside a reference to it take precedence over its own. */
const resolved = (schema: Json): Json => ('$ref' in schema ? { ...PET_STATUS_SCHEMA, ...schema } : schema)

/** Names, types, defaults, ranges and examples, one below the other, so that they read the same on a phone. */
export const fieldList = (title: string, fields: readonly DocumentedField[], at: string): Markup =>
  html`<h3 id="${at}">${title}</h3>
<dl class="fields">${fields.map(field => fieldEntry(field, `${at}-${field.name}`))}</dl>
`

function fieldEntry({ name, schema, required, description, example }: DocumentedField, id: string): Markup {
  const facts = Object.entries({ Default: schema.default, Range: rangeOf(schema), Example: example })
  const known = facts.filter(([, value]) => value !== undefined)
  return html`<div class="field" id="${id}">
<dt><b><code>${name}</code></b> <span class="small dim">${typeOf(schema)}</span>${
    required && html` <span class="required small">required</span>`
  }</dt>
<dd>${inline(description)}<span class="row small dim">${known.map(
    ([fact, value]) => html`<span class="fact">${fact} <code>${String(value)}</code></span> `,
  )}</span></dd>
</div>
`
}

const typeOf = ({ type, format, enum: values }: Json): string =>
  Array.isArray(values) ? `one of ${values.join(', ')}` : String(format ?? type)

function rangeOf({ format, minimum, maximum, minLength, maxLength }: Json): string | undefined {
  if (format === 'int64') return minimum === undefined ? 'any int64' : `from ${minimum}`
  if (maxLength !== undefined) return `${minLength} to ${maxLength} characters`
  return maximum === undefined ? undefined : `${minimum} to ${maximum}`
}

/** A form that sends this request. The page's script fills in the key and sends it; without JavaScript the form is hidden. */
export function tryIt(id: OperationId, operation: Operation): Markup {
  const { method, path, summary, body } = operation
  const fields = [...parameterFields(operation), ...(body ? bodyFields(petSchema(body)) : [])]
  return html`<details class="try" data-operation="${id}">
<summary class="button">${icon('right')} Try it with your key</summary>
<form class="card stack" data-method="${method}" data-path="${path}" aria-label="Try it: ${summary}" autocomplete="off">
<label>API key <input class="input" type="password" name="key" autocomplete="off" spellcheck="false"></label>
${fields.map(field => inputMarkup(`try-${id}-${field.name}`, field))}
${method === 'POST' && html`<p class="tag small">This adds an animal permanently: the API cannot remove one.</p>`}
<div class="row"><button type="submit" class="button">Send</button> <span class="try-state small muted" role="status"></span></div>
</form>
<div class="try-response stack" hidden>${triedSamples()}</div>
</details>`
}

function inputMarkup(id: string, { name, in: place, required, example, schema }: DocumentedField): Markup {
  const { type, enum: options, default: ifNotSent = '' } = schema
  const control = Array.isArray(options)
    ? html`<select class="input" id="${id}" name="${name}" data-place="${place}"><option value="">not sent</option>${options.map(
        option => html`<option>${String(option)}</option>`,
      )}</select>`
    : html`<input class="input" id="${id}" name="${name}" data-place="${place}"${type === 'integer' && html` data-number`} value="${
        required && String(example)
      }" placeholder="${String(ifNotSent)}" spellcheck="false">`
  return html`<div><label for="${id}"><code>${name}</code>${required && html` <span class="required small">required</span>`}</label>${control}</div>
`
}

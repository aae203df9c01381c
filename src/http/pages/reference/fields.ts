import { type Description, type Parameter, rangeOf, resolved, type Schema, typeOf } from './description.ts'
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

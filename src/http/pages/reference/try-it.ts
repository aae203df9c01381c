import { type Description, type Placed, resolved, type Schema } from './description.ts'
import { type Field, ofParameters, ofSchema } from './fields.ts'
import { html, type Markup } from './markup.ts'

/** A form that sends this one request. The page's code fills in the key and sends it; without code it is not shown. */
export function tryIt({ method, path, operation }: Placed, description: Description): Markup {
  const { operationId, summary, parameters, requestBody } = operation
  const body = requestBody && resolved(description, requestBody.content['application/json'].schema)
  const fields = [...ofParameters(parameters), ...(body ? ofSchema(body) : [])]
  return html`<details class="try" data-operation="${operationId}">
<summary>Try it</summary>
<form data-method="${method}" data-path="${path}" aria-label="Try it: ${summary}" autocomplete="off">
<label class="try-field try-key">API key <input type="password" name="key" autocomplete="off" spellcheck="false"></label>
${fields.map(field => inputMarkup(operationId, field, resolved(description, field.schema)))}
${method === 'POST' && html`<p class="try-note">This adds an animal permanently: the API cannot remove one.</p>`}
<div class="try-actions"><button type="submit" class="button">Send</button> <span class="try-state" role="status"></span></div>
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

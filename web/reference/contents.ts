import { guideSections } from '../../src/contract/guide.ts'
import { OPERATION_IDS, OPERATIONS, type Operation } from '../../src/contract/operations.ts'
import { html, type Markup } from '../markup.ts'

export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

export const contents = (): Markup => html`<nav class="contents" aria-label="Contents">
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

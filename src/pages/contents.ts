import { guideSections } from '../contract/guide.ts'
import { OPERATION_IDS, OPERATIONS, type Operation } from '../contract/operations.ts'
import { html, icon, type Markup } from './markup.ts'

export const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-')

/** The section's name and other words that readers search for. */
export const searchWords = (id: string, title: string, hasSamples: boolean): string =>
  [title, id, KEYWORDS[id], hasSamples && 'curl typescript python go sample example']
    .filter(Boolean)
    .join(' ')

/** Words from elsewhere, by the section that readers look for. */
const KEYWORDS: Readonly<Record<string, string>> = {
  start: 'install client sdk npm curl typescript base url address server',
  listPets: 'sort order filter find query read fetch all',
  createPet: 'new insert write save store',
  getPet: 'read fetch one single',
  authentication: 'token bearer login password header unauthorized forbidden environment',
  pages: 'pagination paging next offset limit sort order',
  'exact-numbers': 'bigint integer long precision rounding',
  'safe-retries': 'timeout repeat duplicate twice network lost idempotent idempotency',
  errors: 'exception failure problem status',
  'rate-limits': 'throttling quota too many requests',
  deprecation: 'sunset removal version',
}

export const contents = (): Markup => html`<nav class="contents" aria-label="Contents">
<div class="find search">
${icon('search')}
<label class="hidden" for="search">Search the reference</label>
<input id="search" class="input" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="search-state" aria-keyshortcuts="/">
<span class="kbd" aria-hidden="true">/</span>
<p id="search-state" class="hidden" role="status"></p>
<ul class="found card" hidden></ul>
</div>
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
  return html`<a href="#${id}"><span class="method method-${method}">${method}</span> ${name}</a>`
}

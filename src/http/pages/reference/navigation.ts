import { GUIDE } from '../../../contract/guide.ts'
import type { Placed } from './description.ts'
import { anchorOf } from './guide.ts'
import { html, type Markup } from './markup.ts'

export const navigation = (
  operations: readonly Placed[],
): Markup => html`<nav class="contents" aria-label="Contents">
<div class="search">
<label class="hidden" for="search">Search the reference</label>
<input id="search" type="search" placeholder="Search" autocomplete="off" spellcheck="false" aria-describedby="search-state" aria-keyshortcuts="/">
<kbd aria-hidden="true">/</kbd>
<p id="search-state" class="hidden" role="status"></p>
<ul class="found" hidden></ul>
</div>
<div class="contents-lists">
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

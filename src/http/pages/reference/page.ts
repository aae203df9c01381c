import { openApi } from '../../../contract/openapi.ts'
import { DEFAULT_SERVERS, type Environment } from '../../../contract/servers.ts'
import { loadPage, type Page } from '../document.ts'
import { type Description, operationsOf } from './description.ts'
import { guideSections } from './guide.ts'
import { html, type Markup } from './markup.ts'
import { navigation } from './navigation.ts'
import { operationSection } from './operation.ts'
import type { SampleTarget } from './samples/markup.ts'

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
<a class="skip" href="#content">Skip to the operations</a>
<header class="bar">
<a class="brand" href="./"><img src="${iconUrl}" alt="" width="24" height="24">Petstore</a>
<span class="environment environment-${environment}"><span class="hidden">Environment: </span>${environment}</span>
<nav aria-label="Pages"><a href="./">Console</a> <a href="docs" aria-current="page">Reference</a></nav>
</header>
<div class="reference" data-language="curl">
${navigation(operations)}
<main id="content">
<header class="intro">
<h1>API reference</h1>
<p class="muted">Version ${description.info.version} at <code>${
    place.isConfigured ? place.baseUrl : html`<span data-base>${place.baseUrl}</span>`
  }</code></p>
</header>
${operations.map(placed => operationSection(description, placed, place))}
${guideSections(place)}
</main>
</div>
`
}

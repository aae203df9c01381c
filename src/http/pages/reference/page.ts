import { openApi } from '../../../contract/openapi/document.ts'
import { DEFAULT_SERVERS, type Environment } from '../../../contract/servers.ts'
import { asset } from '../assets.ts'
import { bundlePage, readPageFile } from '../bundle.ts'
import { type Page, pageOf } from '../document.ts'
import { PAGE_HEADERS } from '../headers.ts'
import { type Description, operationsOf } from './description.ts'
import { guideSections } from './guide.ts'
import { html, type Markup } from './markup.ts'
import { navigation } from './navigation.ts'
import { operationSection } from './operation.ts'
import type { SampleTarget } from './samples/markup.ts'

/** The reference as one page that can be read without code: all of it comes from the description. */
export async function loadReference(environment: Environment, baseUrl: string | undefined): Promise<Page> {
  const { script, style } = await bundlePage('reference/reference.ts')
  const js = asset('reference', 'js', script)
  const css = asset('reference', 'css', style)
  const icon = asset('reference', 'svg', await readPageFile('icon.svg'))
  const place = { baseUrl: baseUrl ?? DEFAULT_SERVERS[environment], isConfigured: baseUrl !== undefined }
  return pageOf({
    title: `Petstore reference · ${environment}`,
    head: `\n<script type="module" src="assets/${js.name}"></script>`,
    body: referenceBody(environment, place, icon.name).text,
    css,
    icon,
    more: [js],
    headers: PAGE_HEADERS,
  })
}

function referenceBody(environment: Environment, place: SampleTarget, icon: string): Markup {
  const description = openApi({ ...DEFAULT_SERVERS, [environment]: place.baseUrl }) as unknown as Description
  const operations = operationsOf(description)
  return html`
<a class="skip" href="#content">Skip to the operations</a>
<header class="bar">
<a class="brand" href="./"><img src="assets/${icon}" alt="" width="24" height="24">Petstore</a>
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

import type { Environment } from '../../contract/servers.ts'
import { asset } from './assets.ts'
import { bundlePage, readPageFile } from './bundle.ts'
import { type Page, pageOf } from './document.ts'
import { REFERENCE_HEADERS } from './headers.ts'

export async function loadReference(environment: Environment): Promise<Page> {
  const { script, style } = await bundlePage('reference.ts')
  const [js, css, icon, redoc] = await Promise.all([
    asset('reference', 'js', script),
    asset('reference', 'css', style),
    asset('reference', 'svg', await readPageFile('icon.svg')),
    asset('reference', 'js', await readPageFile('vendor/redoc.standalone.js')),
  ])
  const head = `
<script defer src="assets/${redoc.name}"></script>
<script type="module" src="assets/${js.name}"></script>`
  const body = `
<header class="bar">
<a class="bar-brand" href="./"><img src="assets/${icon.name}" alt="" width="24" height="24">Petstore</a>
<span class="environment environment-${environment}"><span class="hidden">Environment: </span>${environment}</span>
<nav aria-label="Pages"><a href="./">Console</a></nav>
</header>
<main id="reference"><p class="waiting-text">Reading the description…</p></main>
<noscript><p>The reference needs JavaScript. What it shows is at <a href="openapi.json">/openapi.json</a>.</p></noscript>`
  return pageOf({
    title: `Petstore reference · ${environment}`,
    head,
    body,
    css,
    icon,
    more: [js, redoc],
    headers: REFERENCE_HEADERS,
  })
}

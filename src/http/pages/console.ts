import { FACTS_ID, type Facts } from '../../console/facts.ts'
import { dayOf } from '../../contract/deprecations.ts'
import { INT64_MAX, INT64_MIN } from '../../contract/int64.ts'
import { LIMIT_DEFAULT, LIMIT_MAX, NAME_MAX_LENGTH } from '../../contract/limits.ts'
import { OPERATIONS } from '../../contract/operations.ts'
import { PET_STATUSES } from '../../contract/pet.ts'
import type { Environment } from '../../contract/servers.ts'
import { asset } from './assets.ts'
import { bundlePage, readPageFile } from './bundle.ts'
import { type Page, pageOf } from './document.ts'
import { PAGE_HEADERS } from './headers.ts'

export async function loadConsole(environment: Environment): Promise<Page> {
  const { script, style, parts } = await bundlePage('console.tsx')
  const js = asset('console', 'js', script)
  const css = asset('console', 'css', style)
  const icon = asset('console', 'svg', await readPageFile('icon.svg'))
  const chunks = Object.entries(parts).map(([name, text]) => asset('console', 'js', text, name))
  const head = `
<script type="application/json" id="${FACTS_ID}">${JSON.stringify(factsOf(environment))}</script>
<script type="module" src="assets/${js.name}"></script>${importedAtOnce(script).map(preload).join('')}`
  const body = `
<div id="app"></div>
<noscript><p>The console needs JavaScript. The API does not: its description is at <a href="openapi.json">/openapi.json</a>.</p></noscript>`
  return pageOf({
    title: `Petstore · ${environment}`,
    head,
    body,
    css,
    icon,
    more: [js, ...chunks],
    headers: PAGE_HEADERS,
  })
}

/** The chunks that the script needs first, so that the browser requests them at the same time. */
const importedAtOnce = (script: string): string[] =>
  [...script.matchAll(/from\s*"\.\/([\w.-]+)"/g)].flatMap(([, name]) => name ?? [])

const preload = (name: string): string => `\n<link rel="modulepreload" href="assets/${name}">`

const factsOf = (environment: Environment): Facts => ({
  environment,
  statuses: PET_STATUSES,
  nameMaxLength: NAME_MAX_LENGTH,
  limitMax: LIMIT_MAX,
  limitDefault: LIMIT_DEFAULT,
  int64Min: String(INT64_MIN),
  int64Max: String(INT64_MAX),
  lookupEnds: dayOf(OPERATIONS.getPet.deprecated.sunset),
})

import { FACTS_ID, type Facts } from '../console/facts.ts'
import { INT64_MAX, INT64_MIN } from '../contract/int64.ts'
import { NAME_MAX_LENGTH, PET_STATUSES } from '../contract/pet.ts'
import { LIMIT_DEFAULT, LIMIT_MAX } from '../contract/query.ts'
import type { Environment } from '../environment.ts'
import type { Representation } from './conditional.ts'
import { type Asset, asset, fileRepresentation } from './pages-assets.ts'
import { bundlePage, readIcon } from './pages-bundle.ts'
import { CONSOLE_HEADERS } from './pages-headers.ts'

export interface Page {
  readonly document: Representation
  readonly assets: readonly Asset[]
}

export async function loadConsole(environment: Environment): Promise<Page> {
  const { script, style } = await bundlePage('console.tsx')
  const assets = await Promise.all([
    asset('console', 'js', script),
    asset('console', 'css', style),
    asset('console', 'svg', await readIcon()),
  ])
  const [js, css, icon] = assets.map(({ name }) => `assets/${name}`)
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Petstore · ${environment}</title>
<link rel="icon" href="${icon}">
<link rel="stylesheet" href="${css}">
<script type="application/json" id="${FACTS_ID}">${JSON.stringify(factsOf(environment))}</script>
<script type="module" src="${js}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>The console needs JavaScript. The API does not: its description is at <a href="openapi.json">/openapi.json</a>.</p></noscript>
</body>
</html>
`
  return { document: pageDocument(html, CONSOLE_HEADERS), assets }
}

export function pageDocument(html: string, headers: Readonly<Record<string, string>>): Representation {
  const bytes = new TextEncoder().encode(html)
  return fileRepresentation(`"${Bun.hash(bytes).toString(36)}"`, bytes, headers)
}

const factsOf = (environment: Environment): Facts => ({
  environment,
  statuses: PET_STATUSES,
  nameMaxLength: NAME_MAX_LENGTH,
  limitMax: LIMIT_MAX,
  limitDefault: LIMIT_DEFAULT,
  int64Min: String(INT64_MIN),
  int64Max: String(INT64_MAX),
})

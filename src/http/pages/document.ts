import { type Encoded, encoded } from '../response/encoded.ts'
import type { Asset } from './assets.ts'

export interface Page {
  readonly document: Encoded
  readonly assets: readonly Asset[]
}

interface PageParts {
  readonly title: string
  readonly head: string
  readonly body: string
  readonly css: Asset
  readonly icon: Asset
  readonly more: readonly Asset[]
  readonly headers: Readonly<Record<string, string>>
}

/** Links within a page are relative: a proxy may serve the service below another path. */
export function pageOf({ title, head, body, css, icon, more, headers }: PageParts): Page {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="assets/${icon.name}">
<link rel="stylesheet" href="assets/${css.name}">${head}
</head>
<body>${body}
</body>
</html>
`
  return { document: encoded(html, headers), assets: [css, icon, ...more] }
}

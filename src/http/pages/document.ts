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
  const links = `<link rel="icon" href="assets/${icon.name}">
<link rel="stylesheet" href="assets/${css.name}">${head}`
  return { document: encoded(htmlOf(title, links, body), headers), assets: [css, icon, ...more] }
}

export const htmlOf = (title: string, head: string, body: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
${head}
</head>
<body>${body}
</body>
</html>
`

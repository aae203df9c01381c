import { html, type Markup } from '../../web/markup.ts'
import type { Environment } from '../contract/servers.ts'
import { type Encoded, encoded } from '../http/representation.ts'
import { type PageName, pageBundle } from './built.ts'

export interface Page {
  readonly document: Encoded
  readonly assets: readonly Asset[]
}

export const loadConsole = (environment: Environment): Promise<Page> =>
  loadPage(
    'console',
    environment,
    `Petstore · ${environment}`,
    `<div id="app" data-environment="${environment}"></div>
<noscript><main>The console needs JavaScript. The <a href="docs">API reference</a> does not.</main></noscript>`,
  )

/** A page with its script, style and icon. Links are relative, because a proxy may serve the service below another path. */
export async function loadPage(
  page: PageName,
  environment: Environment,
  title: string,
  body: string,
): Promise<Page> {
  const { script, style, icon } = await pageBundle(page)
  const css = asset(page, 'css', style)
  const svg = asset(page, 'svg', icon)
  const js = asset(page, 'js', script)
  const links = `<link rel="icon" href="assets/${svg.name}">
<link rel="stylesheet" href="assets/${css.name}">
<script type="module" src="assets/${js.name}"></script>`
  const document = encoded(
    htmlOf(title, links, headerOf(page, environment, svg.name).text + body),
    PAGE_HEADERS,
  )
  return { document, assets: [css, svg, js] }
}

const htmlOf = (title: string, head: string, body: string): string => `<!doctype html>
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

/** The service, its environment and its pages. */
const headerOf = (page: PageName, environment: Environment, icon: string): Markup => html`
${page === 'reference' && html`<a class="skip button button-primary" href="#content">Skip to the content</a>`}
<header class="header header-${environment}"><div class="header-row">
<a class="brand" href="./" aria-label="Petstore"><img src="assets/${icon}" alt="" width="22" height="22"><span class="roomy">Petstore</span></a>
<span class="environment environment-${environment}"><span class="hidden">Environment: </span>${environment}</span>
<nav aria-label="Pages"><a href="./"${page === 'console' && CURRENT}>Animals</a> <a href="docs"${page === 'reference' && CURRENT}>Reference</a></nav>
</div></header>
`

const CURRENT = html` aria-current="page"`

const ASSET_TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** A page's file. Its name contains its hash, so it can be cached forever. */
interface Asset extends Encoded {
  readonly name: string
}

const asset = (page: PageName, extension: keyof typeof ASSET_TYPES, text: string): Asset => ({
  name: `${page}-${Bun.hash(text).toString(36)}.${extension}`,
  ...encoded(text, { ...ASSET_HEADERS, 'Content-Type': ASSET_TYPES[extension] }),
})

const EVERY_FILE = {
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
}

/** The console and the reference may run and show only what this origin serves. */
const PAGE_HEADERS = {
  ...EVERY_FILE,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-cache',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=()',
  // For browsers that do not know frame-ancestors.
  'X-Frame-Options': 'DENY',
  // Forms are sent by code, never by the browser. With trusted types, text can never become markup or code, whatever a name
  // contains.
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
}

const ASSET_HEADERS = { ...EVERY_FILE, 'Cache-Control': 'public, max-age=31536000, immutable' }

import { html, type Markup } from './markup.ts'

/** A page's files. */
export type Assets = Readonly<Record<'script' | 'style' | 'icon', { readonly name: string }>>

/** Placeholders, in whose place the service puts its own values when it starts (src/pages/pages.ts). */
const ENVIRONMENT = '{{environment}}'
/** The base URL, also in the files of samples. */
export const BASE = '{{base}}'
/** The base URL without the version. */
export const SITE = '{{site}}'
/** An attribute, if the base URL is configured. */
export const HAS_ADDRESS = '{{has-address}}'

export const consoleDocument = (assets: Assets): string =>
  documentOf(
    'console',
    assets,
    html`<div id="app" data-environment="${ENVIRONMENT}"></div>
<noscript><main>The console needs JavaScript. The <a href="docs">API reference</a> does not.</main></noscript>`,
  )

/** Links are relative, because a proxy may serve the service below another path. */
export const documentOf = (
  page: 'console' | 'reference',
  { script, style, icon }: Assets,
  body: Markup,
): string =>
  html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>Petstore${page === 'reference' && ' reference'} · ${ENVIRONMENT}</title>
<link rel="icon" href="assets/${icon.name}">
<link rel="stylesheet" href="assets/${style.name}">
<script type="module" src="assets/${script.name}"></script>
</head>
<body>
${page === 'reference' && html`<a class="skip button button-primary" href="#content">Skip to the content</a>`}
<header class="header header-${ENVIRONMENT}"><div class="header-row">
<a class="brand" href="./" aria-label="Petstore"><img src="assets/${icon.name}" alt="" width="22" height="22"><span class="roomy">Petstore</span></a>
<span class="environment environment-${ENVIRONMENT}"><span class="hidden">Environment: </span>${ENVIRONMENT}</span>
<nav aria-label="Pages"><a href="./"${page === 'console' && CURRENT}>Animals</a> <a href="docs"${page === 'reference' && CURRENT}>Reference</a></nav>
</div></header>
${body}
</body>
</html>
`.text

const CURRENT = html` aria-current="page"`

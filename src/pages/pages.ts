import { ApiError } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import { type Environment, type Servers, VERSION_PREFIX } from '../contract/servers.ts'
import type { Respond } from '../http/endpoint.ts'
import { conditional, type Encoded, encoded, fileOf, negotiated } from '../http/representation.ts'
import { draftOf, JSON_TYPE } from '../http/response.ts'
import type { PageName } from './built.ts'
import type { PageFiles } from './files.ts'

const NOT_BUILT =
  'This was not built when the service was installed. To build it, run npm ci, then restart the service.'

interface PagesConfig {
  readonly environment: Environment
  readonly baseUrls: Servers
}

/** What is served beside the API. All of it is made at the start, and none of it depends on the Host. */
export function servedPages(config: PagesConfig, files: PageFiles) {
  const description = encoded(files.openApi, OPENAPI_HEADERS)
  const assets = new Map(
    files.assets.map(asset => [asset.name, encoded(asset, { ...ASSET_HEADERS, 'Content-Type': asset.type })]),
  )
  const client = files.client && fileOf(files.client, CLIENT_HEADERS)
  let documents: Readonly<Record<PageName, Encoded>> | undefined
  return {
    /** Takes the URL of the service, which is known once it listens, because the port may be any. */
    fillIn: (url: string): void => {
      documents = files.documents && filledIn(files.documents, config, url)
    },
    respond: {
      openApi: ({ request }) => negotiated(request, description),
      console: ({ request }) => negotiated(request, found(documents?.console, NOT_BUILT)),
      reference: ({ request }) => negotiated(request, found(documents?.reference, NOT_BUILT)),
      // The Location is relative, because a proxy may serve the service below another path.
      toReference: () => draftOf(308, { Location: '../docs' }, null),
      asset: ({ request }) => negotiated(request, found(assets.get(request.params?.name ?? ''))),
      client: ({ request }) => conditional(request.headers, found(client, NOT_BUILT)),
    } satisfies Record<string, Respond>,
  }
}

function found<File>(file: File | undefined, message?: string): File {
  if (file === undefined) throw new ApiError('route_not_found', message)
  return file
}

/** Replaces the placeholders that the build leaves for what only a running service knows. */
function filledIn(
  documents: Readonly<Record<PageName, string>>,
  { environment, baseUrls }: PagesConfig,
  url: string,
): Record<PageName, Encoded> {
  const baseUrl = baseUrls[environment]
  const base = Bun.escapeHTML(baseUrl ?? url + VERSION_PREFIX)
  const values: Readonly<Record<string, string>> = {
    environment,
    base,
    site: base.slice(0, -VERSION_PREFIX.length),
    'has-address': baseUrl === undefined ? '' : ' data-has-address',
  }
  const filled = (document: string): Encoded => {
    const text = document.replaceAll(/{{([\w-]+)}}/g, (placeholder, name) => values[name] ?? placeholder)
    const plain = Buffer.from(text)
    return encoded({ plain, gzip: Bun.gzipSync(plain) }, PAGE_HEADERS)
  }
  return { console: filled(documents.console), reference: filled(documents.reference) }
}

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

const CLIENT_HEADERS = { 'Content-Type': 'application/gzip', 'Cache-Control': 'no-cache' }

const OPENAPI_HEADERS = { 'Content-Type': JSON_TYPE, 'Cache-Control': REVALIDATE }

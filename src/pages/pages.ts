import openApi from '../../openapi.json' with { type: 'json' }
import { ApiError } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import {
  DEFAULT_SERVERS,
  type Environment,
  type Servers,
  serverList,
  VERSION_PREFIX,
} from '../contract/servers.ts'
import type { Respond } from '../http/endpoint.ts'
import { originOf } from '../http/origin.ts'
import { conditional, type Encoded, encoded, fileOf, negotiated } from '../http/representation.ts'
import { draftOf, JSON_TYPE } from '../http/response.ts'
import type { Built, BuiltAsset, PageName } from './built.ts'

interface PagesConfig {
  readonly environment: Environment
  readonly host: string
  readonly port: number
  readonly tls: unknown
  readonly baseUrls: Servers
}

const NOT_BUILT =
  'This was not built when the service was installed. To build it, run npm ci, then restart the service.'

/** What is served beside the API. All of it is made at the start, and none of it depends on the Host. */
export function servedPages(config: PagesConfig, built: Built) {
  const description = openApiDocument(config)
  const assets = new Map(built.pages?.assets.map(asset => [asset.name, encodedAsset(asset)]))
  const client = built.client && fileOf(built.client, CLIENT_HEADERS)
  let documents: Readonly<Record<PageName, Encoded>> | undefined
  return {
    /** The reference names the port, which may be any until the service listens. */
    fillIn: (port: number): void => {
      documents = built.pages && filledIn(built.pages.documents, { ...config, port })
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
  config: PagesConfig,
): Record<PageName, Encoded> {
  const { environment, baseUrls } = config
  const baseUrl = baseUrls[environment]
  const base = Bun.escapeHTML(baseUrl ?? ownUrl(config))
  const values: Readonly<Record<string, string>> = {
    environment,
    base,
    site: base.slice(0, -VERSION_PREFIX.length),
    'has-address': baseUrl === undefined ? '' : ' data-has-address',
  }
  const filled = (document: string): Encoded =>
    encoded(
      document.replaceAll(/{{([\w-]+)}}/g, (placeholder, name) => values[name] ?? placeholder),
      PAGE_HEADERS,
    )
  return { console: filled(documents.console), reference: filled(documents.reference) }
}

/** The servers that the OpenAPI document lists: the configured ones, or the local pair if this service is one of them. */
export function knownServers(config: PagesConfig): Servers {
  const { environment, baseUrls } = config
  const isConfigured = Object.values(baseUrls).some(url => url !== undefined)
  if (!isConfigured && ownUrl(config) === DEFAULT_SERVERS[environment]) return DEFAULT_SERVERS
  // Without a configured base URL, the server is the one that the document was fetched from.
  return { ...baseUrls, [environment]: baseUrls[environment] ?? VERSION_PREFIX }
}

const ownUrl = ({ host, port, tls }: PagesConfig): string =>
  originOf(tls === undefined ? 'http' : 'https', host, port) + VERSION_PREFIX

const openApiDocument = (config: PagesConfig): Encoded =>
  encoded(JSON.stringify({ ...openApi, servers: serverList(knownServers(config)) }), {
    'Content-Type': JSON_TYPE,
    'Cache-Control': REVALIDATE,
  })

const encodedAsset = ({ type, text, gzip }: BuiltAsset): Encoded =>
  encoded(text, { ...ASSET_HEADERS, 'Content-Type': type }, Uint8Array.fromBase64(gzip))

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

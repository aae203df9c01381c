import openApi from '../../openapi.json' with { type: 'json' }
import {
  DEFAULT_SERVERS,
  type Environment,
  originOf,
  type Servers,
  serverList,
  VERSION_PREFIX,
} from '../contract/servers.ts'
import type { Forms } from '../http/representation.ts'
import type { Observe } from '../observability/events.ts'
import { type BuiltAsset, type PageName, readBuilt } from './built.ts'

interface Place {
  readonly environment: Environment
  readonly host: string
  readonly port: number
  readonly tls: unknown
  readonly baseUrls: Servers
}

/** What all threads serve beside the API. The bytes are in shared memory. */
export interface PageFiles {
  readonly openApi: Forms
  /** With placeholders for what only a thread that listens knows. Undefined if they were not built. */
  readonly documents?: Readonly<Record<PageName, string>> | undefined
  readonly assets: readonly (Forms & Pick<BuiltAsset, 'name' | 'type'>)[]
  readonly client?: Uint8Array | undefined
}

/** Read and compressed once, by the main thread. */
export function pageFiles(config: Place & { readonly hasConsole: boolean }, observe: Observe): PageFiles {
  const { pages, client } = config.hasConsole ? readBuilt(observe) : {}
  const description = Buffer.from(JSON.stringify({ ...openApi, servers: serverList(knownServers(config)) }))
  return {
    openApi: { plain: shared(description), gzip: shared(Bun.gzipSync(description)) },
    documents: pages?.documents,
    assets: (pages?.assets ?? []).map(({ name, type, gzip: base64 }) => {
      const gzip = Buffer.from(base64, 'base64')
      return { name, type, plain: shared(Bun.gunzipSync(gzip)), gzip: shared(gzip) }
    }),
    client: client && shared(client),
  }
}

function shared(bytes: Uint8Array): Uint8Array {
  const copy = new Uint8Array(new SharedArrayBuffer(bytes.length))
  copy.set(bytes)
  return copy
}

/** The servers that the OpenAPI document lists: the configured ones, or the local pair if this service is one of them. */
export function knownServers(config: Place): Servers {
  const { environment, baseUrls, host, port, tls } = config
  const ownUrl = originOf(tls === undefined ? 'http' : 'https', host, port) + VERSION_PREFIX
  const isConfigured = Object.values(baseUrls).some(url => url !== undefined)
  if (!isConfigured && ownUrl === DEFAULT_SERVERS[environment]) return DEFAULT_SERVERS
  // Without a configured base URL, the server is the one that the document was fetched from.
  return { ...baseUrls, [environment]: baseUrls[environment] ?? VERSION_PREFIX }
}

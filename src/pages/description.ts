import { openApi } from '../contract/openapi.ts'
import type { Json } from '../contract/openapi-responses.ts'
import { DEFAULT_SERVERS, type Environment } from '../contract/servers.ts'
import { sampleText } from './samples.ts'

export type Servers = Readonly<Record<Environment, string | undefined>>

/** The OpenAPI document with the samples of the reference, and with links to it if it is served. */
export function describe(environment: Environment, servers: Servers, hasReference: boolean): Json {
  const own = servers[environment]
  // A sample needs a whole address; a base URL that is a path belongs to the address the document was fetched from.
  const base = own === undefined || own.startsWith('/') ? DEFAULT_SERVERS[environment] : own
  return openApi({
    servers,
    reference: hasReference ? 'docs' : undefined,
    // In one language only: TypeScript would add 800 bytes, Python and Go more.
    samplesOf: id => [{ lang: 'Shell', source: sampleText('curl', id, base) }],
  })
}

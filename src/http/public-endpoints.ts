import { ApiError } from '../contract/errors.ts'
import { REVALIDATE } from '../contract/headers.ts'
import { MESSAGES } from '../contract/messages.ts'
import { descriptionText, type Json, openApi } from '../contract/openapi.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { Environment } from '../contract/servers.ts'
import type { Store } from '../store/store.ts'
import { type Answer, JSON_TYPE, jsonAnswer } from './answer.ts'
import { type Endpoint, readOnly } from './endpoint.ts'
import type { Draining } from './listener/draining.ts'
import { type Encoded, encoded, encodedAnswer } from './response/encoded.ts'

interface PublicOptions {
  readonly store: Store
  readonly environment: Environment
  readonly baseUrls: Readonly<Record<Environment, string | undefined>>
  readonly draining: Draining
}

/** What is served without a key: the description of the API, whether the process lives, whether it can serve. */
export function publicEndpoints(options: PublicOptions): Record<string, Endpoint> {
  const description = served(() => openApi(servers(options)))
  return readOnly({
    '/openapi.json': ({ request }) => encodedAnswer(request, description()),
    '/livez': () => healthy(),
    '/readyz': () => readiness(options),
  })
}

/** Created at the first request, and cached. */
function served(description: () => Json): () => Encoded {
  let made: Encoded | undefined
  return () => {
    made ??= encoded(descriptionText(description()), {
      'Content-Type': JSON_TYPE,
      'Cache-Control': REVALIDATE,
    })
    return made
  }
}

/** Without a configured address, it is the one that this document was fetched from. */
function servers({ environment, baseUrls }: PublicOptions): Partial<Record<Environment, string>> {
  return {
    [environment]: VERSION_PREFIX,
    ...Object.fromEntries(Object.entries(baseUrls).filter(([, url]) => url)),
  }
}

async function readiness({ store, draining }: PublicOptions): Promise<Answer> {
  if (draining.hasBegun) throw new ApiError('unavailable', MESSAGES.isShuttingDown)
  await store.ping()
  return healthy()
}

const healthy = (): Answer =>
  jsonAnswer(200, JSON.stringify({ status: 'ok' }), {
    'Cache-Control': 'no-store',
  })

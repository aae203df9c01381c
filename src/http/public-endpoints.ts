import { ApiError } from '../contract/errors.ts'
import { descriptionText, openApi } from '../contract/openapi/document.ts'
import { asOpenApi30 } from '../contract/openapi/version-3.0.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import type { Environment } from '../contract/servers.ts'
import { DEFAULT_SERVERS } from '../contract/servers.ts'
import type { Store } from '../store/store.ts'
import { type Answer, jsonAnswer } from './answer.ts'
import { chooseByMethod } from './choose-by-method.ts'
import type { Endpoint } from './exchange.ts'
import { afterUnreadBody, hasUnreadBody } from './request/unread-body.ts'
import { conditionalAnswer, representation } from './response/conditional.ts'

/** Says which database the service uses, without saying anything about it. */
export const STORE_HEADER = 'Petstore-Store'

type Read = (request: Request) => Answer | Promise<Answer>

export interface PublicOptions {
  readonly store: Store
  readonly environment: Environment
  readonly baseUrls: Readonly<Record<Environment, string | undefined>>
  readonly isDraining: () => boolean
}

/** What anyone may ask: the description of the API, whether the process lives, whether it can serve. */
export function publicEndpoints(options: PublicOptions): Record<string, Endpoint> {
  const description = openApi(servers(options))
  const newest = representation(descriptionText(description), {})
  const older = representation(descriptionText(asOpenApi30(description)), {})
  const endpoints: Record<string, Read> = {
    '/openapi.json': request => conditionalAnswer(request, newest),
    '/openapi-3.0.json': request => conditionalAnswer(request, older),
    '/livez': () => healthy(options),
    '/readyz': () => readiness(options),
  }
  return Object.fromEntries(Object.entries(endpoints).map(([route, read]) => [route, readOnly(route, read)]))
}

/** An address that nobody configured is the one that this document was fetched from. */
function servers({ environment, baseUrls }: PublicOptions): Record<Environment, string> {
  return {
    ...DEFAULT_SERVERS,
    [environment]: VERSION_PREFIX,
    ...Object.fromEntries(Object.entries(baseUrls).filter(([, url]) => url)),
  }
}

function readOnly(route: string, read: Read): Endpoint {
  const byMethod = { GET: read, HEAD: read }
  return {
    route,
    answer: async ({ request }) => {
      const answer = await chooseByMethod<Read>(byMethod, request.method)(request)
      return hasUnreadBody(request) ? afterUnreadBody(request, answer) : answer
    },
  }
}

async function readiness({ store, isDraining }: PublicOptions): Promise<Answer> {
  if (isDraining()) throw new ApiError('unavailable', 'The service is shutting down.')
  await store.ping()
  return healthy({ store })
}

const healthy = ({ store }: Pick<PublicOptions, 'store'>): Answer =>
  jsonAnswer(200, '{"status":"ok"}', { 'Cache-Control': 'no-store', [STORE_HEADER]: store.mark })

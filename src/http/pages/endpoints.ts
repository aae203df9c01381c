import { ApiError } from '../../contract/errors.ts'
import type { Environment } from '../../contract/servers.ts'
import type { Answer } from '../answer.ts'
import { type Endpoint, readOnly } from '../endpoint.ts'
import type { RoutedRequest } from '../exchange.ts'
import { encodedAnswer } from '../response/encoded.ts'
import type { PageName } from './bundle.ts'
import { loadConsole } from './console.ts'
import type { Page } from './document.ts'
import { loadReference } from './reference/page.ts'

type Pages = Readonly<Record<PageName, () => Promise<Page>>>

/** What people see. Nothing of it is made before someone opens it. */
export function pageEndpoints(
  environment: Environment,
  baseUrl: string | undefined,
): Record<string, Endpoint> {
  const pages: Pages = {
    console: once(() => loadConsole(environment)),
    reference: once(() => loadReference(environment, baseUrl)),
  }
  return readOnly({
    '/': async ({ request }) => encodedAnswer(request, (await pages.console()).document),
    '/docs': async ({ request }) => encodedAnswer(request, (await pages.reference()).document),
    '/assets/:name': ({ request }) => assetOf(pages, request),
  })
}

/** A page may have come from another instance, so an asset is built here if needed: its name says which page it belongs to. */
async function assetOf(pages: Pages, request: RoutedRequest): Promise<Answer> {
  const name = request.params?.name ?? ''
  const [page = ''] = name.split('-', 1)
  const load = Object.hasOwn(pages, page) ? pages[page as PageName] : undefined
  const asset = (await load?.())?.assets.find(found => found.name === name)
  if (asset === undefined) throw new ApiError('route_not_found')
  return encodedAnswer(request, asset)
}

/** Does the work when it is first asked for; a failure is not kept. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined
  return () => {
    result ??= work().catch(error => {
      result = undefined
      throw error
    })
    return result
  }
}

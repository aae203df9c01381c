import { ApiError } from '../../contract/errors.ts'
import type { Environment } from '../../contract/servers.ts'
import type { Answer } from '../answer.ts'
import { chooseByMethod } from '../choose-by-method.ts'
import type { Endpoint } from '../exchange.ts'
import type { RoutedRequest } from '../handlers/handler.ts'
import { conditionalAnswer } from '../response/conditional.ts'
import { assetAnswer } from './assets.ts'
import { loadConsole } from './console.ts'
import type { Page } from './document.ts'
import { loadReference } from './reference.ts'

type PageName = 'console' | 'reference'
type Pages = Readonly<Record<PageName, () => Promise<Page>>>
type Read = (request: RoutedRequest) => Promise<Answer>

/** What people see. Nothing of it is made before someone opens it. */
export function pageEndpoints(environment: Environment): Record<string, Endpoint> {
  const pages: Pages = {
    console: once(() => loadConsole(environment)),
    reference: once(() => loadReference(environment)),
  }
  const endpoints: Record<string, Read> = {
    '/': async request => conditionalAnswer(request, (await pages.console()).document),
    '/docs': async request => conditionalAnswer(request, (await pages.reference()).document),
    '/assets/:name': request => assetOf(pages, request),
  }
  return Object.fromEntries(Object.entries(endpoints).map(([route, read]) => [route, readOnly(route, read)]))
}

/** A page may have come from another instance, so an asset is made here if need be: its name tells of which page it is. */
async function assetOf(pages: Pages, request: RoutedRequest): Promise<Answer> {
  const name = request.params?.name ?? ''
  const [page = ''] = name.split('-', 1)
  const load = Object.hasOwn(pages, page) ? pages[page as PageName] : undefined
  const asset = (await load?.())?.assets.find(found => found.name === name)
  if (asset === undefined) throw new ApiError('route_not_found')
  return assetAnswer(request, asset)
}

function readOnly(route: string, read: Read): Endpoint {
  const byMethod = { GET: read, HEAD: read }
  return { route, answer: ({ request }) => chooseByMethod<Read>(byMethod, request.method)(request) }
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

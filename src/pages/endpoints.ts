import type { Endpoint } from '../api/context.ts'
import { conditional, draftOf, negotiated, type ResponseDraft } from '../api/response.ts'
import { ApiError, ERRORS } from '../contract/errors.ts'
import { VERSION_PREFIX } from '../contract/operations.ts'
import { htmlOf, notFoundHeaders } from './document.ts'

/** `GET /` */
export const getConsole: Endpoint = {
  answer: async ({ pages }, { request }) => negotiated(request, await pages.console()),
}

/** `GET /docs` */
export const getReference: Endpoint = {
  answer: async ({ pages }, { request }) => negotiated(request, await pages.reference(request)),
}

/** `GET /assets/:name` */
export const getAsset: Endpoint = {
  answer: async ({ pages }, { request }) => {
    const asset = await pages.asset(request.params?.name ?? '')
    if (asset === undefined) throw new ApiError('route_not_found')
    return negotiated(request, asset)
  },
}

/** `GET /client.tgz` */
export const getClient: Endpoint = {
  answer: async ({ pages }, { request }) => conditional(request.headers, await pages.client()),
}

/** What a person sees at a mistyped address, and a program does not. */
export const getUnknownPage: Endpoint = {
  answer: ({ pages }, { request }) => {
    if (!wantsPage(request)) throw new ApiError('route_not_found')
    // As people type it. Relative, since a proxy may serve the service below another path.
    if (request.url.endsWith('/docs/')) return draftOf(308, { Location: '../docs' }, null)
    return notFoundDraft(pages.baseUrl)
  },
}

/** In the page itself: at an address that does not exist, no other file has one that can be relied on. */
const STYLE = `:root{color-scheme:light dark}
body{max-width:34rem;margin:18vh auto;padding:0 1.5rem;font:1rem/1.6 ui-sans-serif,system-ui,sans-serif;background:light-dark(#f6f5f2,#131514);color:light-dark(#1c1f1d,#e8ebe8)}
h1{font-size:1.625rem;line-height:1.2;letter-spacing:-.02em}
a{color:light-dark(#1f5f4a,#84d0ad)}
ul{padding-left:1.25rem}
li{padding:.25rem 0}`

/** Whether a request comes from the address bar of a browser: programs do not request HTML. */
export const wantsPage = ({ method, headers }: Request): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/i.test(headers.get('accept') ?? '')

/** What a person sees at a mistyped address. */
function notFoundDraft(baseUrl: string | undefined): ResponseDraft {
  const site = (baseUrl ?? VERSION_PREFIX).slice(0, -VERSION_PREFIX.length)
  const body = `
<main>
<h1>There is no page at this address</h1>
<p>Check the address for a typing mistake. These pages exist:</p>
<ul>
<li><a href="${site}/">The console</a>, to see and add animals</li>
<li><a href="${site}/docs">The reference</a> of the API</li>
<li><a href="${site}/openapi.json">The description</a> for programs</li>
</ul>
</main>`
  const html = htmlOf('Not found · Petstore', `<style>${STYLE}</style>`, body)
  return draftOf(ERRORS.route_not_found.status, notFoundHeaders(STYLE), html)
}

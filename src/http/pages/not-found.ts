import { ERRORS } from '../../contract/errors.ts'
import { VERSION_PREFIX } from '../../contract/operations.ts'
import type { Answer } from '../answer.ts'
import { htmlOf } from './document.ts'
import { notFoundHeaders } from './headers.ts'

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
export function notFoundPage(baseUrl: string | undefined): Answer {
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
  return {
    status: ERRORS.route_not_found.status,
    headers: notFoundHeaders(STYLE),
    body: htmlOf('Not found · Petstore', `<style>${STYLE}</style>`, body),
  }
}

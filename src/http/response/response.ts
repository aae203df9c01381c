import type { Answer } from '../answer.ts'
import type { Exchange } from '../exchange.ts'
import type { Cors } from '../protections/cors.ts'
import { rateLimitHeaders } from '../protections/rate-gate.ts'
import { type HeaderValues, KeptHeaders, REQUEST_ID } from './kept-headers.ts'

const valuesOf = ({ headers }: Answer): HeaderValues =>
  headers instanceof KeptHeaders ? headers.values : headers

/** The only place that sets headers: those of the answer, and those that the exchange adds. */
export function responseOf(answer: Answer, exchange: Exchange, cors?: Cors): Response {
  const { status, headers, body } = answer
  const { request, method, requestId, standing, closes } = exchange
  const isPlain = cors === undefined && standing === undefined && !closes && method !== 'HEAD'
  if (isPlain && headers instanceof KeptHeaders) return headers.response(body, requestId)
  const values = valuesOf(answer)
  return new Response(body, {
    status,
    headers: {
      ...values,
      ...(standing && rateLimitHeaders(standing)),
      ...cors?.headersFor(request, values.Vary),
      ...(closes && { Connection: 'close' }),
      // The runtime leaves it out of the answer to a HEAD.
      ...(method === 'HEAD' && { Date: new Date().toUTCString() }),
      [REQUEST_ID]: requestId,
    },
  })
}

/** Where the exchange itself has failed, so that nothing is known of it. */
export const bareResponse = (answer: Answer): Response =>
  new Response(answer.body, { status: answer.status, headers: valuesOf(answer) })

import type { MaybePromise } from '../../store/store.ts'

/** Responses in one turn of the event loop; each further one waits for the next turn. */
const AT_ONCE = 200

type Handler = (request: Request) => MaybePromise<Response>

/**
 * The runtime answers everything that one connection has sent before any other connection gets a turn, so a client that pipelines
 * requests could hold up all others. The runtime closes a connection whose next request comes while a response waits.
 */
export function fairly(handler: Handler): Handler {
  return request => {
    const response = handler(request)
    return response instanceof Promise ? response.then(inTurn) : inTurn(response)
  }
}

/** Of all listeners together: they share the event loop. */
let answeredThisTurn = 0

function inTurn(response: Response): MaybePromise<Response> {
  if (answeredThisTurn++ === 0) setImmediate(startTurn)
  // One that ends its connection cannot be followed by another.
  if (answeredThisTurn <= AT_ONCE || response.headers.get('connection') === 'close') return response
  return new Promise(resolve => setImmediate(resolve, response))
}

function startTurn(): void {
  answeredThisTurn = 0
}

/** An API key sent in the wrong header is not sane: it would stand in the log. */
const SANE = /^(?!.*pets_(?:live|test)_)[A-Za-z0-9\-_.]{1,128}$/

export type RequestIdOf = (request: Request) => string

/** Names requests. The client's own id is kept where it is sane, so that its log and ours speak of the same thing. */
export function requestIds(): RequestIdOf {
  // Tells this process from all others, so that a counter is enough within it.
  const ours = crypto.randomUUID().slice(0, 13)
  let count = 0
  return request => {
    const sent = request.headers.get('x-request-id')
    return sent !== null && SANE.test(sent) ? sent : `${ours}-${(++count).toString(36)}`
  }
}

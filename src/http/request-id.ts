const SANE = /^[A-Za-z0-9\-_.]{1,128}$/

/** The client's own id where it is sane, so that its log and ours speak of the same thing. */
export function requestIdOf(request: Request): string {
  const sent = request.headers.get('x-request-id')
  return sent !== null && SANE.test(sent) ? sent : crypto.randomUUID()
}

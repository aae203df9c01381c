/**
 * The path and query of a request as they were sent. `new URL` would throw on odd Host headers, and the runtime's route
 * parameters are percent-decoded, but an identifier has one spelling.
 */
export function targetOf(request: Request): { path: string; query: string } {
  const { url } = request
  const pathStart = url.startsWith('/') ? 0 : url.indexOf('/', url.indexOf('://') + 3)
  const target = url.slice(pathStart)
  const queryStart = target.indexOf('?')
  if (queryStart === -1) return { path: target, query: '' }
  return { path: target.slice(0, queryStart), query: target.slice(queryStart + 1) }
}

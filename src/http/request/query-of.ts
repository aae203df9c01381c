/** The query of a URL as it was sent. `new URL` would throw on odd Host headers. */
export function queryOf(url: string): string {
  const start = url.indexOf('?')
  return start === -1 ? '' : url.slice(start + 1)
}

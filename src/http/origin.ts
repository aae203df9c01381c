/** An IPv6 address needs brackets. */
export const originOf = (scheme: 'http' | 'https', host: string, port: number | undefined): string =>
  `${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`

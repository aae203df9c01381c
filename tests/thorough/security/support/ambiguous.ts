import { API_KEY } from '../../../support/service/service.ts'

/** Served only if the bytes of a body are parsed as a request of their own. */
export const SMUGGLED = 'GET /livez HTTP/1.1\r\nHost: x\r\n\r\n'
const LENGTH = SMUGGLED.length
const CHUNK = `${LENGTH.toString(16)}\r\n${SMUGGLED}\r\n0\r\n\r\n`
const END = '0\r\n\r\n'
const KEY = `Authorization: Bearer ${API_KEY}`

const post = (fields: readonly string[], body: string, version = 'HTTP/1.1'): string =>
  `${[`POST /v1/pets ${version}`, 'Host: x', KEY, 'Content-Type: application/json', ...fields].join('\r\n')}\r\n\r\n${body}`
const get = (...lines: string[]): string =>
  `GET /v1/pets HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${SMUGGLED}`

/** Lengths that two parsers could read differently. */
const lengths = ['+5', '-1', '0x10', '1e1', '1 0', '', '0, 33', '18446744073709551616', '9223372036854775808']
const codings = ['xchunked', 'identity', 'chunked, identity', 'gzip, chunked', '\x0bchunked', '"chunked"', '']
const chunkSizes = ['+0', '0x0', ' 0', '-1', '10000000000000000', 'g', '0 ', '0;\n', '0\n']

/** By name: bytes that must be read as at most one request. */
export const AMBIGUOUS: Record<string, string> = {
  'CL.TE': post(['Content-Length: 6', 'Transfer-Encoding: chunked'], `${END}G${SMUGGLED}`),
  'TE.CL': post(['Content-Length: 4', 'Transfer-Encoding: chunked'], CHUNK),
  'two lengths': post(['Content-Length: 0', `Content-Length: ${LENGTH}`], SMUGGLED),
  'a length with a space before the colon': post([`Content-Length : ${LENGTH}`], SMUGGLED),
  'a length after a vertical tab': post([`Content-Length:\x0b${LENGTH}`], SMUGGLED),
  ...Object.fromEntries(
    lengths.map(value => [
      `the length ${JSON.stringify(value)}`,
      post([`Content-Length: ${value}`], SMUGGLED),
    ]),
  ),
  ...Object.fromEntries(
    codings.map(value => [
      `the coding ${JSON.stringify(value)}`,
      post([`Transfer-Encoding: ${value}`], END + SMUGGLED),
    ]),
  ),
  'an unknown coding and a length': post(
    ['Transfer-Encoding: xchunked', `Content-Length: ${LENGTH}`],
    SMUGGLED,
  ),
  'a coding with a space before the colon': post(['Transfer-Encoding : chunked'], END + SMUGGLED),
  'a coding on a folded line': post(['Transfer-Encoding:\r\n chunked'], END + SMUGGLED),
  'two codings': post(['Transfer-Encoding: chunked', 'Transfer-Encoding: identity'], END + SMUGGLED),
  'two codings the other way round': post(
    ['Transfer-Encoding: identity', 'Transfer-Encoding: chunked'],
    END + SMUGGLED,
  ),
  'chunks in HTTP/1.0': post(['Transfer-Encoding: chunked'], END + SMUGGLED, 'HTTP/1.0'),
  ...Object.fromEntries(
    chunkSizes.map(size => [
      `the chunk size ${JSON.stringify(size)}`,
      post(['Transfer-Encoding: chunked'], `${size}\r\n\r\n${SMUGGLED}`),
    ]),
  ),
  'a chunk without its end': post(['Transfer-Encoding: chunked'], `1\r\nZ0\r\n\r\n${SMUGGLED}`),
  'a request in the trailers': post(['Transfer-Encoding: chunked'], `0\r\n${SMUGGLED}`),
  'a length in the trailers': post(
    ['Transfer-Encoding: chunked'],
    `0\r\nContent-Length: ${LENGTH}\r\n\r\n${SMUGGLED}`,
  ),
  'a body of a GET': `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${KEY}\r\nContent-Length: ${LENGTH}\r\n\r\n${SMUGGLED}`,
  'a body of a HEAD': `HEAD /v1/pets HTTP/1.1\r\nHost: x\r\n${KEY}\r\nContent-Length: ${LENGTH}\r\n\r\n${SMUGGLED}`,
  'a chunked body of a GET': `GET /v1/pets HTTP/1.1\r\nHost: x\r\n${KEY}\r\nTransfer-Encoding: chunked\r\n\r\n${CHUNK}`,
  'a body that is not read': `POST /v1/pets HTTP/1.1\r\nHost: x\r\nContent-Length: ${LENGTH}\r\n\r\n${SMUGGLED}`,
  'a body that is too large': post(['Content-Length: 100000'], SMUGGLED),
  'a body of an unknown path': `POST /nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${LENGTH}\r\n\r\n${SMUGGLED}`,
  'a length named in Connection': post(['Connection: Content-Length', `Content-Length: ${LENGTH}`], SMUGGLED),
  'bare line feeds': `GET /v1/pets HTTP/1.1\nHost: x\n\n${SMUGGLED}`,
  'a bare line feed between fields': get('Host: x\nX: y'),
  'a bare carriage return between fields': get('Host: x\rX: y'),
  'a NUL in a field': get('Host: x', 'X: a\0b'),
  'a line without a colon': get('Host: x', 'nocolon'),
  'a field without a name': get('Host: x', ': b'),
  'a space before the first field': get(' Host: x'),
  'a folded line': get('Host: x', 'X: a', ' b'),
  'no Host': get(''),
  'HTTP/0.9': `GET /v1/pets\r\n${SMUGGLED}`,
  'two spaces in the first line': `GET  /v1/pets HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`,
  'a space in the target': `GET /v1/pets HTTP/1.1 HTTP/1.1\r\nHost: x\r\n\r\n${SMUGGLED}`,
  'more head than fits': get('Host: x', `X: ${'a'.repeat(200_000)}`),
  'more fields than fit': get('Host: x', ...Array.from({ length: 3000 }, () => 'a: b')),
}

import { expect, test } from 'bun:test'
import { encoded, negotiated } from './representation.ts'

const file = encoded({ plain: Buffer.from('text'), gzip: Bun.gzipSync('text') }, {})

/** Whether a client that accepts these codings gets gzip (RFC 9110 12.5.3). */
const LISTS: Readonly<Record<string, readonly string[]>> = {
  gzip: [
    'gzip | GZIP | x-gzip | * | gzip, br | br , gzip | gzip;q=1 | gzip;q=1.000 | gzip ; Q=0.5 | gzip;q=0.001 | gzip, gzip',
    'identity;q=0, gzip | identity;q=0, * | identity;q=0.5, gzip;q=0.5 | br;q=0, * | gzip, *;q=0 | *;q=0, gzip | ,gzip,',
  ],
  plain: [
    'br | identity | *;q=0 | gzip;q=0 | gzip;q=0.000 | gzip;q=0, * | *, gzip;q=0 | x-gzip;q=0, * | gzip;q=0, gzip | gzip, gzip;q=0',
    'identity, gzip;q=0.5 | identity;q=0 | gzipped | zgzip | gzip2 | constructor | gzip;q=x, * | gzip;q=-1 | gzip; | gzip;level=9',
    `${'br, '.repeat(100)}gzip`,
  ],
}
const rows = Object.entries(LISTS).flatMap(([form, lists]) =>
  lists.flatMap(list => list.split(' | ')).map(sent => [sent, form] as const),
)

test.each([...rows, ['', 'plain'] as const])(
  'a client that accepts "%s" gets the file as %s',
  (sent, form) => {
    const request = new Request('http://x/', { headers: { 'Accept-Encoding': sent } })
    const { etag } = negotiated(request, file)
    expect(etag).toBe(form === 'gzip' ? file.compressed.etag : file.plain.etag)
  },
)

test('a client that does not say what it accepts gets the file plain', () =>
  expect(negotiated(new Request('http://x/'), file).etag).toBe(file.plain.etag))

import { expect, test } from 'bun:test'
import { infoOf } from '../../../client/src/call.ts'
import { parseJson } from '../../../client/src/pet-json.ts'
import { nextCursorOf } from '../../../client/src/pet-list.ts'
import { BodyReader } from '../../../src/api/body.ts'
import { bearerKey, requestIds } from '../../../src/api/handle.ts'
import { readListQuery } from '../../../src/api/list-query.ts'
import { pathOf } from '../../../src/api/routes.ts'
import { parseInt64 } from '../../../src/contract/int64.ts'
import { parseExactJson } from '../../../src/contract/json.ts'
import { readNewPet } from '../../../src/contract/pet.ts'
import { conditional, jsonHeads, negotiated, representation } from '../../../src/http/representation.ts'
import { KeyRing } from '../../../src/keys/key-ring.ts'
import { readPetFile } from '../../../src/transfer/pet-file.ts'

/** A busy machine may take three times as long as usual; quadratic time takes seconds. */
const LIMIT_MS = 50
/** A busy machine slows down single runs; quadratic time slows down all of them. */
const TRIES = 50
const SIZE = 64 * 1024

type Read = (input: string) => unknown

const header =
  (field: string, answer: (request: Request) => unknown): Read =>
  text =>
    answer(new Request('http://x/', { headers: { [field]: text } }))
const page = representation(jsonHeads(), '[]')
const ring = new KeyRing({
  environment: 'production',
  // A text of this length is refused before any lookup.
  keys: undefined as never,
  configuredKey: 'worst-cases-key-0123456789',
})
const authorization = header('Authorization', request => ring.verify(bearerKey(request)))
const asset = { name: 'a.js', plain: page, compressed: page }
const acceptEncoding = header('Accept-Encoding', request => negotiated(request, asset))
const body: Read = text => readNewPet(parseExactJson(text))
const query: Read = text => readListQuery(text, 'secret')
const contentType: Read = type => {
  const headers = { 'Content-Type': type, 'Content-Length': '1' }
  return new BodyReader(1).readJson(new Request('http://x/', { method: 'POST', headers, body: ' ' }))
}
const file: Read = text => readPetFile(Buffer.from(text), 'animals', () => ({ problem: 'not checked' }))
const csvFile: Read = text => file(`name,categoryId\n${text}`)

/**
 * What reads the input of others, with its costliest texts: what comes before, what is repeated up to 64 KB and what comes after,
 * between dots; a bar separates the texts.
 */
const WORST_CASES: readonly [what: string, read: Read, texts: string][] = [
  ['name of an animal', body, '{"name":"· ·"} | {"name":"·😀·"} | {"name":"·\\ud800·"}'],
  [
    'number',
    body,
    '{"categoryId":1·0·1} | {"categoryId":3.·0·} | {"categoryId":0.·0·1} | {"categoryId":1e·9·}',
  ],
  ['numbers', body, '[·1,·1] | [·1.0,·1] | {·"categoryId":1.0,·"a":1} | {·"categoryI\\u0064":1.0,·"a":1}'],
  // Spaced out, because more values than this are not parsed.
  ['exponents', body, `[·1e1999999,${' '.repeat(150)}·1]`],
  ['structure of a body', body, '·[· | ·{"a":· | [·[],·1] | {"a":"·\\"· | · ·'],
  ['query of a list', query, '·a&· | ·%61aa&· | ·limit=1&· | cursor=·%41· | limit=·1·'],
  ['identifier', parseInt64, '·9· | -·0·'],
  ['path', pathOf, 'http://x/·%41· | http://x/·/·%41'],
  ['Authorization', authorization, 'Bearer· · | bearer· ·x | Bearer ·x· | Bearer ·pets_live_·'],
  ['X-Request-Id', header('X-Request-Id', requestIds(ring)), '·x· | ·pets_live·'],
  ['Content-Type', contentType, 'application/json· ·x | application/json·;·'],
  ...['If-Match', 'If-None-Match'].map((field): [string, Read, string] => [
    field,
    header(field, ({ headers }) => conditional(headers, page)),
    `·,· | ·"· | ·W/"x", · | "x"· ·"x" | ·""·,W/${page.etag} | ·W/${page.etag},·`,
  ]),
  ['Accept-Encoding', acceptEncoding, '·,· | gzip· ·x | gzip;· ·x | gzip;q=0.·0·x | ·gzip;q=0,·'],
  ['CSV file', csvFile, '·""\n· | ·"\n· | ·"· | ·"a\n· | ·,· | "·x\n""·'],
  ['NDJSON file', file, '{\n·x\n· | {·\n· | {"name":"Rex","categoryId":1·0·1}\n'],
  [
    'JSON in the client',
    parseJson,
    '[·1·] | [·9007199254740993,·1] | ["·\\"·",9007199254740993] | [9007199254740993,"·\\"·',
  ],
  [
    'Link in the client',
    nextCursorOf,
    '·<· | <x>·"· | <x>"·\\"· | <x>·;· | <x>;·a· | <x>;a· ·x | <·#·>; rel=next | <x>; rel="·a ·"',
  ],
  ['RateLimit in the client', text => infoOf(200, new Headers({ RateLimit: text }), 1), '·;r=1·'],
]

async function timeOf(read: Read, input: string): Promise<number> {
  // Not a rope, because real input is contiguous.
  const fresh = Buffer.from(input, 'utf16le').toString('utf16le')
  // The clock counts other processes too, and processor time other threads.
  const started = performance.now()
  const before = process.cpuUsage()
  try {
    await read(fresh)
  } catch {
    // A refusal is a valid outcome.
  }
  const { user, system } = process.cpuUsage(before)
  return Math.min(performance.now() - started, (user + system) / 1000)
}

const cases = WORST_CASES.flatMap(([what, read, texts]) =>
  texts.split(' | ').map(text => [what, JSON.stringify(text), text, read] as const),
)
test.each(cases)('%s: %s takes time in proportion to its length', async (_what, _shown, text, read) => {
  const [before = '', repeated = '', after = ''] = text.split('·')
  const input = before + repeated.repeat(SIZE / repeated.length) + after
  let least = Number.POSITIVE_INFINITY
  for (let n = 0; n < TRIES && !(n >= 5 && least < LIMIT_MS); n++)
    least = Math.min(least, await timeOf(read, input))
  expect(least).toBeLessThan(LIMIT_MS)
})

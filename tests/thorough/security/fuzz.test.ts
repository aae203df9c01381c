import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { assertDescribed } from '../../support/described.ts'
import { type Answer, RawConnection } from '../../support/http.ts'
import { engines, startProcess } from '../../support/service.ts'
import { bytesOf, CURSOR, type FuzzRequest, fuzzRequest, UNKNOWN_METHODS } from './support/fuzz-requests.ts'

/** Fixed, so that every run sends the same; FC_SEED sends others. */
const SEED = Number(process.env.FC_SEED ?? 2030)
const ROUNDS = 120
const PER_ROUND = 32

test('no generated request gets a 5xx, stops the service, breaks the description or tells the engines apart', async () => {
  const services = await Promise.all(
    engines.map(async engine => startProcess({ databaseUrl: await engine.freshDatabaseUrl() })),
  )
  const cursors = services.map(() => 'none')
  const statuses = new Set<number | undefined>()
  const requests = fc.array(fuzzRequest, { minLength: 1, maxLength: PER_ROUND, size: 'max' })
  const round = fc.asyncProperty(requests, async sent => {
    for (const request of sent) {
      const answers = await Promise.all(
        services.map(async ({ url }, place) => {
          const answer = await ask(url, bytesOf(request, cursors[place] ?? ''), request.method)
          cursors[place] = /cursor=([^&]+)/.exec(answer?.link('next') ?? '')?.[1] ?? cursors[place] ?? ''
          return answer
        }),
      )
      for (const answer of answers) {
        statuses.add(answer?.status)
        check(request, answer)
        expect(comparable(answer)).toBe(comparable(answers[0]))
      }
    }
  })
  await fc.assert(round, { seed: SEED, numRuns: ROUNDS })
  for (const service of services) {
    expect(await service.stop()).toBe(0)
    expect(service.errors.text).toBe('')
    expect(service.output.text).not.toContain('"event":"request-failed"')
  }
  // Each kind of response must occur, or the generator is too weak.
  expect([...statuses]).toEqual(expect.arrayContaining([200, 201, 304, 400, 401, 404, 405, 413, 415]))
})

/** The answer on a connection of its own; undefined if that is closed without one. */
async function ask(url: string, bytes: Uint8Array, method: string): Promise<Answer | undefined> {
  const connection = new RawConnection(url)
  connection.send(bytes)
  const answer = await connection.read(method).catch(() => undefined)
  connection.end()
  return answer
}

function check(request: FuzzRequest, answer: Answer | undefined): void {
  const sent = Buffer.from(bytesOf(request, CURSOR)).toString('latin1').slice(0, 2000)
  if (answer === undefined) {
    if (UNKNOWN_METHODS.includes(request.method)) return
    throw new Error(`Closed without an answer: ${sent}`)
  }
  // The listener answers what it cannot parse with a bare 400, 431 or 505.
  const isOurs = answer.headers.has('x-request-id')
  if (!isOurs && answer.text === '' && [400, 431, 505].includes(answer.status)) return
  if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text} for ${sent}`)
  // A fault of the request itself is the same for every operation, so the description leaves it out.
  if (answer.text.includes('"malformed_request"')) return
  // A path with special characters may name an operation or none; the engines must only agree.
  const [path = ''] = request.target.split('?', 1)
  if (/^\/v1[\w/-]*$/.test(path)) assertDescribed(request.method, path, answer)
}

/** Without what differs between databases: each seals its own cursors, and the ETag of a page covers its cursor. */
function comparable(answer: Answer | undefined): string {
  if (answer === undefined) return 'closed'
  const hasCursor = answer.headers.get('link')?.includes('cursor=') === true
  const headers = [...answer.headers]
    .filter(([name]) => !/^(date|x-request-id)$/.test(name) && !(hasCursor && name === 'etag'))
    .map(([name, value]) => `${name}: ${value.replace(/cursor=[^&>]+/, 'cursor=')}`)
  return [answer.status, ...headers.sort(), answer.text].join('\n')
}

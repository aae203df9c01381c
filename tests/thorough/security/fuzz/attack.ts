import fc from 'fast-check'
import type { Answer } from '../../../support/http/answer.ts'
import { assertDescribed } from '../../../support/http/described.ts'
import type { ServiceProcess } from '../../../support/service/service-process.ts'
import { FuzzConnection } from './connection.ts'
import { CURSOR, type FuzzRequest, fuzzRequest, UNKNOWN_METHODS } from './request.ts'
import { wire } from './wire.ts'

const ROUND = 64
const WIDTH = 8
const OF_THIS_ANSWER = new Set(['date', 'petstore-store', 'x-request-id'])

export interface Victim {
  readonly service: ServiceProcess
}

/** One service under attack, with the latest cursor that it issued. */
class Target {
  readonly connections: FuzzConnection[]
  cursor = 'none'

  constructor({ service }: Victim) {
    this.connections = Array.from({ length: WIDTH }, () => new FuzzConnection(service.url))
  }

  async ask(request: FuzzRequest, lane: number): Promise<Answer | undefined> {
    const bytes = wire(request, request.target.replaceAll(CURSOR, this.cursor))
    return this.connections[lane]?.ask(bytes, request.method)
  }

  /** Runs requests that cannot add in parallel, then the others in sequence: the state that each finds follows from the seed. */
  async round(requests: readonly FuzzRequest[]): Promise<(Answer | undefined)[]> {
    const answers: (Answer | undefined)[] = []
    const lanes = Array.from({ length: WIDTH }, async (_, lane) => {
      for (let n = lane; n < requests.length; n += WIDTH) {
        const request = requests[n] as FuzzRequest
        if (!request.mayAdd) answers[n] = await this.ask(request, lane)
      }
    })
    await Promise.all(lanes)
    for (const [n, request] of requests.entries()) {
      if (!request.mayAdd) continue
      answers[n] = await this.ask(request, 0)
    }
    const next = answers.map(answer => answer?.link('next')).findLast(link => link !== undefined)
    this.cursor = /cursor=([^&]+)/.exec(next ?? '')?.[1] ?? this.cursor
    return answers
  }
}

/** Sends the same requests to every service. On a wrong answer, fails with the shortest and simplest requests that cause it. */
export async function attack(
  victims: readonly Victim[],
  seed: number,
  count: number,
): Promise<Record<string, number>> {
  const targets = victims.map(victim => new Target(victim))
  const statuses: Record<string, number> = {}
  const requests = fc.array(fuzzRequest, { minLength: 1, maxLength: ROUND, size: 'max' })
  const round = fc.asyncProperty(requests, async sent => {
    const [first = [], ...others] = await Promise.all(targets.map(target => target.round(sent)))
    for (const [n, request] of sent.entries()) {
      const status = String(first[n]?.status ?? 'closed')
      statuses[status] = (statuses[status] ?? 0) + 1
      check(request, first[n])
      for (const other of others) compare(request, first[n], other[n])
    }
  })
  await fc.assert(round, { seed, numRuns: Math.ceil((2 * count) / ROUND) })
  for (const { connections } of targets) for (const connection of connections) connection.end()
  return statuses
}

function check(request: FuzzRequest, answer: Answer | undefined): void {
  if (answer === undefined) {
    if (UNKNOWN_METHODS.includes(request.method)) return
    throw new Error(`Closed without an answer: ${shownOf(request)}`)
  }
  // The listener answers what it cannot parse with a bare 400, 431 or 505 and closes the connection.
  if (
    answer.text === '' &&
    answer.headers.get('connection') === 'close' &&
    !answer.headers.has('x-request-id')
  ) {
    if ([400, 431, 505].includes(answer.status)) return
  }
  if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text} for ${shownOf(request)}`)
  const failures = pathsOf(request.target).map(path => problemWith(request.method, path, answer))
  if (!failures.includes(undefined)) throw new Error(`${failures[0]} for ${shownOf(request)}`)
}

function problemWith(method: string, path: string, answer: Answer): string | undefined {
  try {
    if (path.startsWith('/v1')) assertDescribed(method, path, answer)
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** The paths that a target may mean: with special characters, the text itself or what `URL` makes of it, and nothing else. */
function pathsOf(target: string): string[] {
  const path = target.replace(/^https?:\/\/[^/]*/, '').replace(/[?].*$/s, '')
  if (/^[\w/-]*$/.test(path)) return [path]
  const asUrl = URL.parse(path.replaceAll('#', '%23'), 'http://x')?.pathname
  return [path.replaceAll('#', '%23'), ...(asUrl === undefined ? [] : [asUrl])]
}

function compare(request: FuzzRequest, one: Answer | undefined, two: Answer | undefined): void {
  const [a, b] = [comparable(one), comparable(two)]
  if (a !== b) throw new Error(`The engines differ: ${shownOf(request)}\n${a}\n${b}`)
}

const shownOf = (request: FuzzRequest): string =>
  Buffer.from(wire(request, request.target)).toString('latin1').slice(0, 2000)

/** Removes what differs between databases: each seals its own cursors, and the ETag of a page covers its cursor. */
function comparable(answer: Answer | undefined): string {
  if (answer === undefined) return 'closed'
  const hasCursor = answer.headers.get('link')?.includes('cursor=') === true
  const headers = [...answer.headers]
    .filter(([name]) => !OF_THIS_ANSWER.has(name) && !(hasCursor && name === 'etag'))
    .map(([name, value]) => `${name}: ${value.replace(/cursor=[^&>]+/, 'cursor=')}`)
  return [answer.status, ...headers.sort(), answer.text].join('\n')
}

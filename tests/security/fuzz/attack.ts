import type { Answer } from '../../support/answer.ts'
import { assertDescribed } from '../../support/described.ts'
import type { Service } from '../../support/service.ts'
import type { Below } from './choice.ts'
import { FuzzConnection } from './connection.ts'
import { CURSOR, type FuzzRequest, fuzzRequest, UNKNOWN_METHODS } from './request.ts'
import { wire } from './wire.ts'

const ROUND = 64
const WIDTH = 8
const OF_THIS_ANSWER = new Set(['date', 'x-request-id'])

export interface Victim {
  readonly service: Service
  /** Takes back the identifier that an engine left out because it repeated an answer; not every engine does. */
  readonly closeGap: () => Promise<void>
  readonly end: () => Promise<void>
}

/** One service under attack, with the cursors that it gave out. */
class Target {
  readonly connections: FuzzConnection[]
  readonly #closeGap: () => Promise<void>
  cursor = 'none'

  constructor({ service, closeGap }: Victim) {
    this.connections = Array.from({ length: WIDTH }, () => new FuzzConnection(service.url))
    this.#closeGap = closeGap
  }

  async ask(request: FuzzRequest, lane: number): Promise<Answer | undefined> {
    const bytes = wire(request, request.target.replaceAll(CURSOR, this.cursor))
    return this.connections[lane]?.ask(bytes, request.method)
  }

  /** Those that may add one after the other, the others side by side: the state that each of them meets follows from the seed. */
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
      const answer = await this.ask(request, 0)
      if (answer?.status === 422 || answer?.headers.has('idempotent-replayed')) await this.#closeGap()
      answers[n] = answer
    }
    const next = answers.map(answer => answer?.link('next')).findLast(link => link !== undefined)
    this.cursor = /cursor=([^&]+)/.exec(next ?? '')?.[1] ?? this.cursor
    return answers
  }
}

export interface Tally {
  readonly requests: number
  readonly statuses: Record<string, number>
}

/** Sends the same requests to every service; throws at the first answer that must not be. */
export async function attack(victims: readonly Victim[], below: Below, count: number): Promise<Tally> {
  const targets = victims.map(victim => new Target(victim))
  const statuses: Record<string, number> = {}
  for (let sent = 0; sent < count; sent += ROUND) {
    const requests = Array.from({ length: ROUND }, () => fuzzRequest(below))
    const [first = [], ...others] = await Promise.all(targets.map(target => target.round(requests)))
    for (const [n, request] of requests.entries()) {
      const answer = first[n]
      const status = String(answer?.status ?? 'closed')
      statuses[status] = (statuses[status] ?? 0) + 1
      check(request, answer, `request ${sent + n}`)
      for (const other of others) compare(request, answer, other[n], `request ${sent + n}`)
    }
  }
  for (const { connections } of targets) for (const connection of connections) connection.end()
  return { requests: count, statuses }
}

function check(request: FuzzRequest, answer: Answer | undefined, label: string): void {
  const shown = `${label}: ${Buffer.from(wire(request, request.target)).toString('latin1').slice(0, 2000)}`
  if (answer === undefined) {
    if (!UNKNOWN_METHODS.includes(request.method)) throw new Error(`Closed without an answer: ${shown}`)
    return
  }
  // What the listener cannot read never reaches our code: a bare 400, 431 or 505, and the connection is closed.
  if (
    answer.text === '' &&
    answer.headers.get('connection') === 'close' &&
    !answer.headers.has('x-request-id')
  ) {
    if ([400, 431, 505].includes(answer.status)) return
  }
  if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text} for ${shown}`)
  const failures = pathsOf(request.target).map(path => problemWith(request.method, path, answer))
  if (!failures.includes(undefined)) throw new Error(`${failures[0]} for ${shown}`)
}

function problemWith(method: string, path: string, answer: Answer): string | undefined {
  try {
    if (path.startsWith('/v1')) assertDescribed(method, path, answer)
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** The path that a target names. One with odd characters may be read as it stands, or as `URL` would read it, and nothing else. */
function pathsOf(target: string): string[] {
  const path = target.replace(/^https?:\/\/[^/]*/, '').replace(/[?].*$/s, '')
  if (/^[\w/-]*$/.test(path)) return [path]
  const asUrl = URL.parse(path.replaceAll('#', '%23'), 'http://x')?.pathname
  return [path.replaceAll('#', '%23'), ...(asUrl === undefined ? [] : [asUrl])]
}

function compare(
  request: FuzzRequest,
  one: Answer | undefined,
  two: Answer | undefined,
  label: string,
): void {
  const [a, b] = [comparable(one), comparable(two)]
  if (a === b) return
  const shown = Buffer.from(wire(request, request.target)).toString('latin1').slice(0, 2000)
  throw new Error(`The engines differ at ${label}: ${shown}\n${a}\n${b}`)
}

/** Cursors are sealed by each database for itself, and the tag of a page covers its cursor. */
function comparable(answer: Answer | undefined): string {
  if (answer === undefined) return 'closed'
  const hasCursor = answer.headers.get('link')?.includes('cursor=') === true
  const headers = [...answer.headers]
    .filter(([name]) => !OF_THIS_ANSWER.has(name) && !(hasCursor && name === 'etag'))
    .map(([name, value]) => `${name}: ${value.replace(/cursor=[^&>]+/, 'cursor=')}`)
  return [answer.status, ...headers.sort(), answer.text].join('\n')
}

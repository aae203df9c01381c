import { Answer } from '../http/answer.ts'
import { type PetBody, petJson } from '../http/exact.ts'
import { API_KEY } from '../service/service.ts'
import type { Create, Get, List, Shown } from './history.ts'

const STATUSES = ['available', 'pending', 'sold'] as const
const DEADLINE_MS = 20_000
const HEADERS = { Authorization: `Bearer ${API_KEY}` }

/** A page and the request for it. */
export interface Page {
  readonly target: string
  readonly after: number
  readonly limit: number
  readonly status: string | undefined
}

export const statusOf = (name: string): string =>
  STATUSES[Number(Bun.hash.xxHash32(name) % STATUSES.length)] as string

const shownOf = ({ id, name, status }: PetBody): Shown => ({ id: Number(id), name, status })

/** One answer with its times; the answer is undefined if none came. */
async function ask(url: string, path: string, init: RequestInit = {}) {
  const began = performance.now()
  try {
    const signal = AbortSignal.timeout(DEADLINE_MS)
    const headers = { ...HEADERS, ...(init.headers as Record<string, string> | undefined) }
    const answer = await Answer.from(await fetch(url + path, { ...init, headers, signal }))
    return { answer, began, ended: performance.now() }
  } catch {
    // The instance was killed or is not there, so what it did before is unknown.
    return { answer: undefined, began, ended: performance.now() }
  }
}

/** Like a missing answer, a 503 does not say what happened. Any other unexpected status is a fault. */
function expected(answer: Answer | undefined, ...statuses: number[]): Answer | undefined {
  if (answer === undefined || answer.status === 503) return undefined
  if (statuses.includes(answer.status)) return answer
  throw new Error(`An answer that is not expected: ${answer.status} ${answer.text}`)
}

export async function create(url: string, name: string, key: string | undefined): Promise<Create> {
  const { answer, ...times } = await ask(url, '/v1/pets', {
    method: 'POST',
    body: petJson({ name, status: statusOf(name) }),
    headers: { 'Content-Type': 'application/json', ...(key !== undefined && { 'Idempotency-Key': key }) },
  })
  const added = expected(answer, 201, ...(key === undefined ? [] : [409]))
  const shown = added?.status === 201 ? shownOf(added.pet) : undefined
  return {
    kind: 'create',
    name,
    key,
    shown,
    replayed: added?.headers.has('idempotent-replayed') === true,
    ...times,
  }
}

/** Undefined if there was no usable answer. A 304 stands for the earlier answer. */
export async function get(url: string, id: number, earlier?: Get): Promise<Get | undefined> {
  const { answer, ...times } = await ask(url, `/v1/pets/${id}`, conditional(earlier))
  const found = expected(answer, 200, 404, ...notModified(earlier))
  if (found === undefined) return undefined
  if (found.status === 304) return { ...(earlier as Get), ...times }
  const shown = found.status === 200 ? shownOf(found.pet) : undefined
  return { kind: 'get', id, shown, etag: found.headers.get('etag') ?? undefined, ...times }
}

/** The same for a page, with the next page if there is one. */
export async function list(
  url: string,
  page: Page,
  earlier?: List,
): Promise<{ operation: List; next: Page | undefined } | undefined> {
  const { answer, ...times } = await ask(url, page.target, conditional(earlier))
  const found = expected(answer, 200, ...notModified(earlier))
  if (found === undefined) return undefined
  const link = found.link('next')
  if (found.status === 304 && (link !== undefined) !== earlier?.more)
    throw new Error('A 304 with another link')
  const operation: List =
    found.status === 304
      ? { ...(earlier as List), ...times }
      : {
          kind: 'list',
          ...page,
          shown: found.pets.map(shownOf),
          more: link !== undefined,
          etag: found.headers.get('etag') ?? undefined,
          ...times,
        }
  const last = operation.shown.at(-1)
  return { operation, next: link && last ? { ...page, target: link, after: last.id } : undefined }
}

const conditional = (earlier: { readonly etag: string | undefined } | undefined): RequestInit =>
  earlier?.etag === undefined ? {} : { headers: { 'If-None-Match': earlier.etag } }

const notModified = (earlier: { readonly etag: string | undefined } | undefined): number[] =>
  earlier?.etag === undefined ? [] : [304]

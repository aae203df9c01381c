import {
  ApiError,
  NOT_MODIFIED,
  NotFoundError,
  type Pet,
  type PetList,
  type PetPage,
  type PetStatus,
  Petstore,
  PetstoreError,
  type PetstoreOptions,
  parsePet,
  type RequestEvent,
  stringifyPet,
  TimeoutError,
  type WithResponse,
} from '@petstore/client'

declare function shown(...values: unknown[]): void

/** Compiled in a strict project by every supported TypeScript version, never run. Errors are marked. */
const options: PetstoreOptions = { apiKey: 'key', baseUrl: 'http://127.0.0.1/v1' }
const store = new Petstore(options)
const onRequest = ({ headers }: RequestEvent) => headers.set('traceparent', '00')
const texts = new Petstore({ ...options, int64: 'string', debug: true, onRequest })

export async function usesInt64(): Promise<void> {
  const page: PetPage = await store.pets.list({ status: 'sold', limit: 1 })
  for await (const pet of store.pets.list()) {
    const id: bigint = pet.id
    // @ts-expect-error: a bigint is never equal to a number.
    shown(pet.id === 5, id)
  }
  const first: Pet | undefined = page.items[0]
  const text: string = (await texts.pets.create({ name: 'Rex', categoryId: 7n })).id
  const list: PetList<string> = texts.pets.list()
  const typed: Pet<string> = parsePet('{}', 'string')
  const outcome: WithResponse<Pet> = await store.pets.create({ name: 'Rex', categoryId: '7' }).withResponse()
  shown(first && stringifyPet(first), text, list, typed.id, outcome.replayed, parsePet('{}').id === 1n)
}

export async function readsAgain(etag: string | undefined): Promise<void> {
  const pet = await store.pets.get(1n, { ifNoneMatch: etag })
  // @ts-expect-error: it may not be an animal.
  shown(pet.name)
  if (pet !== NOT_MODIFIED) shown(pet.name)
  const page = await store.pets.list({ limit: 1 }, { ifNoneMatch: '"tag"' })
  if (page === NOT_MODIFIED) return
  // @ts-expect-error: null is not the first page.
  shown(store.pets.list({ cursor: page.nextCursor }))
  shown(store.pets.list({ cursor: page.nextCursor ?? undefined }))
}

export async function usesStatus(counts: Record<PetStatus, number>): Promise<void> {
  for await (const pet of await store.pets.list()) {
    counts[pet.status]++
    await store.pets.create({ ...pet })
    await store.pets.list({ status: pet.status })
    // @ts-expect-error: a typing mistake.
    shown(pet.status === 'availabel')
  }
}

// @ts-expect-error: there is no such status.
export const unknownStatus = () => store.pets.create({ name: 'Rex', categoryId: 7, status: 'gone' })
// @ts-expect-error: there is no such type.
export const unknownType = () => new Petstore({ int64: 'float' })

export function narrows(error: unknown): string {
  if (error instanceof NotFoundError) {
    const code: 'pet_not_found' = error.code
    // @ts-expect-error: another class has this code.
    shown(error.code === 'rate_limited', code)
  }
  if (error instanceof TimeoutError) {
    const code: 'timeout' = error.code
    return code
  }
  if (error instanceof ApiError) {
    const status: number = error.status
    return `${status} ${error.retryAfterMs ?? 0}`
  }
  if (!(error instanceof PetstoreError)) return 'other'
  const status: number | undefined = error.status
  switch (error.code) {
    case 'unexpected_answer':
      return `${status} ${error.body} ${error.location}`
    // A code of a later release.
    case 'no_such_code':
      return ''
    default:
      return error.idempotencyKey ?? error.message
  }
}

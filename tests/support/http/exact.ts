/** Parses JSON exactly: identifiers are int64, so they become bigints. */
export function parseExact(text: string): unknown {
  return JSON.parse(text, (name: string, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && (name === 'id' || name === 'categoryId')
      ? BigInt(context?.source ?? '')
      : value,
  )
}

export interface PetBody {
  readonly id: bigint
  readonly name: string
  readonly categoryId: bigint
  readonly status: string
}

export interface ErrorBody {
  readonly code: string
  readonly message: string
  readonly status: number
}

/** The body of a request that adds an animal, with an exact category. */
export const petJson = ({
  name = 'Rex',
  categoryId = 7n,
  status,
}: {
  name?: string
  categoryId?: bigint
  status?: string | undefined
}): string =>
  `{"name":${JSON.stringify(name)},"categoryId":${categoryId}${status === undefined ? '' : `,"status":"${status}"`}}`

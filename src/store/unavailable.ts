import { PetstoreError } from '../contract/errors.ts'

/** The storage cannot do it, and did nothing. */
export const unavailable = (cause: unknown): PetstoreError =>
  new PetstoreError('unavailable', 'The storage cannot answer right now. Try again shortly.', { cause })

/** Neither done nor refused: the answer of the storage did not come. It may still do what it was asked. */
export const outcomeUnknown = (cause: unknown): PetstoreError =>
  new PetstoreError(
    'unavailable',
    'The storage did not answer in time, so it is not known whether this was stored. Repeat the request with the same Idempotency-Key; without one, look first whether it was.',
    { cause },
  )

export const isUnavailable = (error: unknown): boolean =>
  error instanceof PetstoreError && error.code === 'unavailable'

import { parseDuration } from '../../config/duration.ts'
import { InvalidInput } from '../../operator-error.ts'

const DATE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/

/** When a key expires: a date or time in UTC, or a duration from now. It must be in the future. */
export function parseExpiry(text: string, now: Date): Date {
  const duration = parseDuration(text)
  const expiry = duration === undefined ? dateOf(text) : new Date(now.getTime() + duration)
  if (Number.isNaN(expiry.getTime()))
    throw new InvalidInput(
      '--expires takes a date (2027-01-31), a time (2027-01-31T12:00:00Z) or a duration (90d, 12h, 30m).',
    )
  if (expiry <= now) throw new InvalidInput('--expires must be in the future.')
  return expiry
}

function dateOf(text: string): Date {
  const day = text.slice(0, 'yyyy-mm-dd'.length)
  // JavaScript reads 30 February as 2 March; a day that does not exist is a mistake.
  const exists = DATE.test(text) && new Date(`${day}T00:00:00Z`).toJSON()?.startsWith(day)
  return exists ? new Date(text) : new Date(Number.NaN)
}

import { PETS_PATH } from './servers.ts'

export interface Deprecation {
  readonly since: Date
  /** When removal is scheduled. A release removes the operation, no clock does. */
  readonly sunset: Date
  readonly replacement: string
}

/** The only deprecation so far. It is also the example in the descriptions of headers and errors. */
export const GET_PET_DEPRECATION: Deprecation = {
  since: new Date('2026-11-14T00:00:00Z'),
  sunset: new Date('2030-12-05T00:00:00Z'),
  replacement: `GET ${PETS_PATH} with a status filter`,
}

/** The headers that announce it (RFC 9745, RFC 8594). */
export const deprecationDates = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${since.getTime() / 1000}`,
  Sunset: sunset.toUTCString(),
})

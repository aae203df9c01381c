import { PETS_PATH } from './servers.ts'

export interface Deprecation {
  readonly since: Date
  /** When removal is scheduled. A release removes the operation, no clock does. */
  readonly sunset: Date
  readonly replacement: string
  /** What the replacement does, and what it does not do. */
  readonly difference: string
}

/** The only deprecation so far. It is also the example in the descriptions of headers and errors. */
export const GET_PET_DEPRECATION: Deprecation = {
  since: new Date('2026-11-14T00:00:00Z'),
  sunset: new Date('2030-12-05T00:00:00Z'),
  replacement: `GET ${PETS_PATH} with a status filter`,
  difference: `It lists the animals of a status and does not look up an identifier: read pages until you find the animal, or keep what \`POST ${PETS_PATH}\` returned.`,
}

/** The headers that announce it (RFC 9745, RFC 8594). */
export const deprecationDates = ({ since, sunset }: Deprecation) => ({
  Deprecation: `@${since.getTime() / 1000}`,
  Sunset: sunset.toUTCString(),
})

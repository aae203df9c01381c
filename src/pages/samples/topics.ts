import { PETS_PATH } from '../../contract/servers.ts'

/** Topics with samples: each operation, and tasks that take more than one request. */
export type Topic = 'listPets' | 'createPet' | 'getPet' | 'pages' | 'repeats' | 'errors'

/** One language's programs. Each is complete: it runs as it is pasted. */
export type Samples = Readonly<Record<Topic, string>>

/** Placeholders for the base URL, the service's URL and the key, in characters that no program contains. */
export const BASE = '\uE000'
export const SITE = '\uE001'
export const KEY = '\uE002'

/** Paths that the samples request, relative to the base URL. */
export const LIST = `${PETS_PATH}?limit=20&status=available`
export const FIRST = `${PETS_PATH}/1`
export const ALL = `${PETS_PATH}?limit=100`
export const WRONG = `${PETS_PATH}?limit=0`

/** What there are samples for: each operation, and what takes more than one request. */
export type Topic = 'listPets' | 'createPet' | 'getPet' | 'pages' | 'repeats' | 'errors'

export type Samples = Readonly<Record<Topic, string>>

/** In a sample, where the address of the service stands, and its key: characters that no program has. */
export const BASE = '\uE000'
export const KEY = '\uE001'

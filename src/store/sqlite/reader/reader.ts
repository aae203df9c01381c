import type { Pet } from '../../../contract/pet.ts'
import { type DeprecatedRow, deprecatedOf, type KeyRow, keyOf, type PetRow, petOf } from '../../rows.ts'
import type { DeprecatedCalls, KeyRecord, PageQuery, StoredPage } from '../../store.ts'
import { ReaderClient, type ReaderOptions } from './client.ts'

/** All reads, in two threads: a list that waits for the disk must not delay API key lookups, which may need no disk. */
export function sqliteReader(options: Omit<ReaderOptions, 'name'>) {
  const animals = new ReaderClient({ ...options, name: 'reader of animals' })
  const others = new ReaderClient({ ...options, name: 'reader of keys' })
  return {
    get isStalled(): boolean {
      return animals.isStalled || others.isStalled
    },
    listPets: async ({ after, limit, status }: PageQuery): Promise<Omit<StoredPage, 'revision'>> => {
      // Fetching one row more than the limit shows whether another page follows.
      const rows = parse<PetRow>(await animals.read('listPets', String(after), limit + 1, status))
      return { pets: rows.slice(0, limit).map(petOf), more: rows.length > limit }
    },
    findPet: async (id: bigint): Promise<Pet | undefined> =>
      parse<PetRow>(await animals.read('findPet', String(id))).map(petOf)[0],
    findKey: async (hash: string): Promise<KeyRecord | undefined> =>
      parse<KeyRow>(await others.read('findKey', hash)).map(keyOf)[0],
    listDeprecatedCalls: async (): Promise<DeprecatedCalls[]> =>
      parse<DeprecatedRow>(await others.read('listDeprecatedCalls')).map(deprecatedOf),
    schemaVersion: (): Promise<string> => others.read('schemaVersion'),
    ping: async (): Promise<void> => {
      animals.assertAnswering()
      await others.read('ping')
    },
    ready: (): Promise<unknown> => Promise.all([animals.ready(), others.ready()]),
    close: async (): Promise<void> => void (await Promise.all([animals.close(), others.close()])),
  }
}

const parse = <Row>(rows: string): Row[] => JSON.parse(rows) as Row[]

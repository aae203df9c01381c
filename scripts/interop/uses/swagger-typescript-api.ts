import { Api, PetStatus } from '../generated/swagger-typescript-api/petstore.ts'
import { API_KEY, BASE_URL, expectEqual } from './expect.ts'

const api = new Api({
  baseUrl: BASE_URL,
  baseApiParams: { headers: { Authorization: `Bearer ${API_KEY}` }, format: 'json' },
})

const added = await api.pets.createPet({ name: 'Rex', categoryId: 7 })
expectEqual(added.data.status, PetStatus.Available)

const listed = await api.pets.listPets({ limit: 1, status: PetStatus.Available })
expectEqual(listed.data.length, 1)

const got = await api.pets.getPet(added.data.id)
expectEqual(got.data.name, 'Rex')

const refused = await api.pets.listPets({ limit: 0 }).then(
  () => undefined,
  (failed: Awaited<ReturnType<typeof api.pets.listPets>>) => failed.error,
)
if (refused?.status !== 400) throw new Error('A limit of 0 must be refused')
// Open, so that a client made from this description outlives a new code.
const code: string = refused.code
expectEqual(code, 'invalid_query')

import { client } from '../generated/hey-api/client.gen.ts'
import { createPet, getPet, listPets } from '../generated/hey-api/sdk.gen.ts'
import { API_KEY, BASE_URL, expectEqual } from './expect.ts'

client.setConfig({ baseUrl: BASE_URL, auth: API_KEY })

const added = await createPet({ body: { name: 'Rex', categoryId: 7 } })
expectEqual(added.data?.status, 'available')
const id = added.data?.id ?? 0

const listed = await listPets({ query: { limit: 1, status: 'available' } })
expectEqual(listed.data?.length, 1)

const got = await getPet({ path: { petId: id } })
expectEqual(got.data?.name, 'Rex')

const refused = await listPets({ query: { limit: 0 } })
if (refused.error?.status !== 400) throw new Error('A limit of 0 must be refused')
// Open, so that a client made from this description outlives a new code.
const code: string = refused.error.code
expectEqual(code, 'invalid_query')

import { createPet, getPet, listPets } from '../generated/orval/petstore.ts'
import { API_KEY, expectEqual } from './expect.ts'

const options = { headers: { Authorization: `Bearer ${API_KEY}` } }

const added = await createPet({ name: 'Rex', categoryId: 7 }, options)
if (added.status !== 201) throw new Error(added.data.message)
expectEqual(added.data.status, 'available')

const listed = await listPets({ limit: 1, status: 'available' }, options)
if (listed.status !== 200) throw new Error('The list must be there')
expectEqual(listed.data.length, 1)

const got = await getPet(added.data.id, options)
if (got.status !== 200) throw new Error('The animal must be there')
expectEqual(got.data.name, 'Rex')

const refused = await listPets({ limit: 0 }, options)
if (refused.status !== 400) throw new Error('A limit of 0 must be refused')
// Open, so that a client made from this description outlives a new code.
const code: string = refused.data.code
expectEqual(code, 'invalid_query')

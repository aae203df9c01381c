import { BASE, KEY, type Samples } from './topics.ts'

const STORE = `import { Petstore } from '@petstore/client'

const store = new Petstore({ baseUrl: '${BASE}', apiKey: ${KEY} })
`

export const typescript: Samples = {
  listPets: `${STORE}
const page = await store.pets.list({ limit: 20, status: 'available' })
for (const pet of page.items) console.log(pet.id, pet.name)`,

  createPet: `${STORE}
const pet = await store.pets.create({ name: 'Rex', categoryId: 7 })
console.log(pet.id, pet.status)`,

  getPet: `${STORE}
const pet = await store.pets.get(1)
console.log(pet.name)`,

  pages: `${STORE}
// Reads a page whenever the one before is used up.
for await (const pet of store.pets.list()) console.log(pet.id, pet.name)`,

  repeats: `${STORE}
// The client sends its own key with every create. Pass yours to repeat one after a restart.
const idempotencyKey = crypto.randomUUID()
const first = await store.pets.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey })
const again = await store.pets.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey })
console.log(first.id === again.id)`,

  errors: `${STORE.replace('{ Petstore }', '{ Petstore, PetstoreError }')}
try {
  await store.pets.list({ limit: 0 })
} catch (error) {
  if (!(error instanceof PetstoreError)) throw error
  console.log(error.code, error.message)
}`,
}

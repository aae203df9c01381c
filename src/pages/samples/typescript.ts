import { BASE, KEY, type Samples } from './topics.ts'

const program = (code: string, imports = 'Petstore'): string =>
  `import { ${imports} } from '@petstore/client'

const store = new Petstore({
  baseUrl: '${BASE}',
  apiKey: ${KEY},
})
${code}`

export const typescript: Samples = {
  listPets: program(`const page = await store.pets.list({
  limit: 20,
  status: 'available',
})
for (const pet of page.items) console.log(pet.id, pet.name)`),
  createPet: program(`const pet = await store.pets.create({
  name: 'Rex',
  categoryId: 7,
})
console.log(pet.id, pet.status)`),
  getPet: program(`const pet = await store.pets.get(1)
console.log(pet.name, pet.categoryId)`),
  pages: program(`// Fetches the next page when it is needed.
for await (const pet of store.pets.list()) {
  console.log(pet.id, pet.name)
}`),
  repeats: program(`// The client sends its own key with every create.
// Pass yours to retry after a restart.
const idempotencyKey = crypto.randomUUID()
const rex = { name: 'Rex', categoryId: 7 }
const first = await store.pets.create(rex, { idempotencyKey })
const again = await store.pets.create(rex, { idempotencyKey })
console.log(first.id === again.id)`),
  errors: program(
    `try {
  await store.pets.list({ limit: 0 })
} catch (error) {
  if (!(error instanceof PetstoreError)) throw error
  console.log(error.code, error.message)
}`,
    'Petstore, PetstoreError',
  ),
}

import { engineAt } from './engine-at.ts'

/** Creates a database with these animals, like a service that is stopped afterwards. */
export async function makeStore(databaseUrl: string, names: readonly string[]): Promise<void> {
  const store = await engineAt(databaseUrl).open({ create: true })
  const pet = { categoryId: 1n, status: 'available' } as const
  await Promise.all(names.map(name => store.addPet({ pet: { ...pet, name }, idempotency: undefined })))
  await store.close()
}

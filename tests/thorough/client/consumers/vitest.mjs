import { NotFoundError, Petstore } from '@petstore/client'
import { expect, test } from 'vitest'

test('the client works in Vitest', async () => {
  const fetch = async () =>
    Response.json({ code: 'pet_not_found', message: 'None.', status: 404 }, { status: 404 })
  const store = new Petstore({ apiKey: 'key', baseUrl: 'http://petstore.test/v1', fetch })
  await expect(store.pets.get(1)).rejects.toBeInstanceOf(NotFoundError)
})

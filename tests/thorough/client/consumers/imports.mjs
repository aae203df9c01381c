import assert from 'node:assert/strict'
import { Petstore, PetstoreError } from '@petstore/client'

export async function check() {
  const fetch = async () =>
    Response.json({ code: 'unavailable', message: 'Busy.', status: 503 }, { status: 503 })
  const store = new Petstore({ apiKey: 'key', baseUrl: 'http://petstore.test/v1', maxRetries: 0, fetch })
  const error = await store.pets.create({ name: 'Rex', categoryId: 7 }).catch(error => error)
  assert.ok(error instanceof PetstoreError)
  assert.ok(error.idempotencyKey)
}

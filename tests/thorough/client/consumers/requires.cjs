const assert = require('node:assert/strict')
const { Petstore, PetstoreError, parsePet } = require('@petstore/client')

const fetch = async () =>
  Response.json({ code: 'unavailable', message: 'Busy.', status: 503 }, { status: 503 })
const store = new Petstore({ apiKey: 'key', baseUrl: 'http://petstore.test/v1', maxRetries: 0, fetch })

store.pets.create({ name: 'Rex', categoryId: 7 }).then(assert.fail, error => {
  assert.ok(error instanceof PetstoreError)
  assert.equal(error.code, 'unavailable')
  assert.equal(
    parsePet('{"id":9007199254740993,"name":"Rex","categoryId":7,"status":"sold"}').id,
    9007199254740993n,
  )
})

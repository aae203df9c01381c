import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { atOnce } from '../support/process.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('adding an animal', service => {
  test('the answer is the animal with its identifier, and Location names it', async () => {
    const answer = await service().post('{"name":"Rex","categoryId":7,"status":"pending"}')
    expect(answer).toHaveStatus(201)
    const { id } = answer.pet
    expect(answer.text).toBe(`{"id":${id},"name":"Rex","categoryId":7,"status":"pending"}`)
    expect(answer.headers.get('location')).toBe(`/v1/pets/${id}`)
    expect((await service().fetch(`/v1/pets/${id}`)).text).toBe(answer.text)
  })

  test('of many answers at once each names its own animal and its own request', async () => {
    const send = (id: string) => service().post(petJson({ name: id }), { 'X-Request-Id': id })
    const answers = await atOnce(200, n => send(`r-${n}`))
    for (const [n, { headers, pet }] of answers.entries()) {
      expect(headers.get('location')).toBe(`/v1/pets/${pet.id}`)
      expect([headers.get('x-request-id'), pet.name]).toEqual([`r-${n}`, `r-${n}`])
    }
  })

  test('fields that the request shape does not have are ignored, id among them', async () => {
    const answer = await service().post(
      '{"id":-5,"name":"Rex","categoryId":7,"color":"red","tags":[{"id":1}],"price":1e400}',
    )
    expect(answer).toHaveStatus(201)
    expect(answer.pet.id).toBeGreaterThan(0n)
    expect(Object.keys(answer.pet)).toEqual(['id', 'name', 'categoryId', 'status'])
  })

  const invalid: [string, RegExp][] = [
    ['{"name":null,"categoryId":7}', /name must be a string/],
    ['{"name":"Rex","categoryId":null}', /categoryId must be an integer/],
    ['{"name":"Rex","categoryId":"7"}', /categoryId must be an integer from .*7, and "7" is a string/],
    ['{"name":"Rex","categoryId":7,"status":null}', /status must be one of available, pending, sold/],
    ['{"name":"Rex","categoryId":7,"status":"lost"}', /status must be one of/],
    ['{"name":"Rex","categoryId":7,"status":["sold"]}', /status must be one of/],
    ['{"name":"","categoryId":"7","status":0}', /name .*categoryId .*status /],
    ['{}', /name is required.*categoryId is required/],
    ['[]', /must be a JSON object/],
    ['null', /must be a JSON object/],
    ['12345678901234567890', /must be a JSON object/],
  ]
  test.each(invalid)('%s is a 400 that names each wrong field, and adds nothing', async (body, message) => {
    const { pet } = await service().post(petJson({}))
    const answer = await service().post(body)
    expect(answer.failure).toBe('400 invalid_body')
    expect(answer.error.message).toMatch(message)
    expect((await service().post(petJson({}))).pet.id).toBe(pet.id + 1n)
  })
})

import { expect, test } from 'bun:test'
import { join } from 'node:path'
import description from '../../openapi.json'
import { clientContract } from '../../scripts/build/client-contract.ts'
import { ERROR_CODES, type ErrorCode } from '../../src/contract/errors.ts'

const { paths, components } = description
const operations = [paths['/pets'].get, paths['/pets'].post, paths['/pets/{petId}'].get]
const { Error: error, NewPet: newPet } = components.schemas

test('openapi.json has no example for an optional parameter, because tools send examples untouched', () => {
  const parameters: readonly object[] = operations.flatMap((operation): object[] => operation.parameters)
  expect(parameters.filter(parameter => 'example' in parameter)).toMatchObject([{ name: 'petId' }])
  for (const header of Object.values(components.headers)) expect(header.example).toBeDefined()
})

test('openapi.json has no default beside a $ref, which generators take for a field that must be sent', () => {
  expect(newPet.properties.status).not.toHaveProperty('default')
  expect(newPet.required).toEqual(['name', 'categoryId'])
})

test('openapi.json describes every error as the one Error, which is open, and each code where it occurs', () => {
  expect(error.properties.code).not.toHaveProperty('enum')
  expect(error.properties.code['x-extensible-enum']).toEqual(ERROR_CODES)
  for (const response of Object.values(components.responses))
    if ('content' in response)
      expect(response.content['application/json'].schema.$ref).toBe('#/components/schemas/Error')
  // These depend on the path or the message alone, so no operation lists them.
  const others: ErrorCode[] = ['malformed_request', 'route_not_found', 'method_not_allowed']
  const described = JSON.stringify(components.responses)
  expect(ERROR_CODES.filter(code => !described.includes(`\`${code}\`: `)).toSorted()).toEqual(
    others.toSorted(),
  )
  expect(components.responses.InvalidRequest.content['application/json'].example.code).toBe('invalid_body')
})

const CLIENT = join(import.meta.dir, '../../client')

test("the client's contract is what `npm run openapi` makes of the service's", async () => {
  expect(await Bun.file(join(CLIENT, 'src/contract.generated.ts')).text()).toBe(clientContract())
})

test.each(['README.md', 'src/errors.ts'])('%s of the client names every error code', async file => {
  const text = await Bun.file(join(CLIENT, file)).text()
  expect(ERROR_CODES.filter(code => !text.includes(`\`${code}\``))).toEqual([])
})

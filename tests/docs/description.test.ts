import { expect, test } from 'bun:test'
import { join } from 'node:path'
import description from '../../openapi.json'
import { ERROR_CODES, type ErrorCode } from '../../src/contract/errors.ts'
import { openApi } from '../../src/contract/openapi.ts'
import { responseOf } from '../support/described.ts'

const read = (file: string): Promise<string> => Bun.file(join(import.meta.dir, '../..', file)).text()
const { paths, components } = description
const operations = [paths['/pets'].get, paths['/pets'].post, paths['/pets/{petId}'].get]
const { Error: error, NewPet: newPet, Pet: pet, Pets: pets } = components.schemas

test('openapi.json is no larger than 21 KB when minified', () => {
  expect(Buffer.byteLength(JSON.stringify(description))).toBeLessThan(21 * 1024)
})

test('openapi.json gives every header and every parameter but the cursor an example, and limit its default', () => {
  const parameters: readonly object[] = [
    ...operations.flatMap((operation): object[] => operation.parameters),
    ...Object.values(components.parameters),
  ]
  const withoutExample = parameters.filter(parameter => 'name' in parameter && !('example' in parameter))
  expect(withoutExample).toMatchObject([{ name: 'cursor' }])
  for (const header of Object.values(components.headers)) expect(header.example).toBeDefined()
  expect(paths['/pets'].get.parameters[0]?.schema).toMatchObject({ default: 20, minimum: 1, maximum: 100 })
})

test('openapi.json has no default beside a $ref, which generators take for a field that must be sent', () => {
  expect(newPet.properties.status).not.toHaveProperty('default')
  expect(newPet.required).toEqual(['name', 'categoryId'])
})

test('openapi.json bounds what the service bounds: pages, cursors, statuses; int64 by its format alone', () => {
  expect(pet.properties.id).toMatchObject({ format: 'int64', minimum: 1 })
  expect(pet.properties.id).not.toHaveProperty('maximum')
  expect(newPet.properties.categoryId).toMatchObject({ type: 'integer', format: 'int64' })
  expect(pets.maxItems).toBe(100)
  expect(paths['/pets'].get.parameters[2]).toMatchObject({ name: 'cursor', schema: { maxLength: 128 } })
  expect(error.properties.status).toMatchObject({ minimum: 400, maximum: 599 })
  expect(components.headers['Retry-After'].schema.type).toBe('integer')
})

test('openapi.json describes every error as the one Error, which is open, with an example for each code', () => {
  expect(error.properties.code).not.toHaveProperty('enum')
  expect(error.properties.code['x-extensible-enum']).toEqual(ERROR_CODES)
  for (const response of Object.values(components.responses))
    if ('content' in response)
      expect(response.content['application/json'].schema.$ref).toBe('#/components/schemas/Error')
  // These depend on the path or the message alone, so no operation lists them.
  const others: ErrorCode[] = ['malformed_request', 'route_not_found', 'method_not_allowed']
  const examples = JSON.stringify(components.responses)
  for (const code of ERROR_CODES)
    if (others.includes(code)) expect(error.properties.code.description).toContain(code)
    else expect(examples).toContain(`{"code":"${code}","message":`)
})

test('openapi.json gives mocks a 400 for an invalid body: Prism would prefer a listed 422, so that is the default', () => {
  const { responses } = paths['/pets'].post
  expect(Object.keys(responses)).not.toContain('422')
  expect(responses.default.$ref).toEndWith('/IdempotencyKeyReused')
  expect(components.responses.IdempotencyKeyReused.description).toStartWith('422 ')
  // Everywhere else a test finds that a status is not described.
  expect(responseOf(paths['/pets'].post, 418)).toBeUndefined()
  const [first] = Object.keys(components.responses.InvalidRequest.content['application/json'].examples)
  expect(first).toBe('invalid_body')
})

test('openapi.json says in the words of the interface what replaces getPet, and what that does not do', () => {
  const text = paths['/pets/{petId}'].get.description
  expect(text).toContain('removal is announced for 5 December 2030')
  expect(text).toContain('The replacement is GET /pets with a status filter.')
  expect(text).toContain('does not look up an identifier')
})

test('openapi.json holds no pattern with control characters, which generators turn into broken source', async () => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  expect(await read('openapi.json')).not.toMatch(/[\0-\x09\x0b-\x1f]|\\u00[01]/)
})

test('openapi.json lists the servers that are known, and no other', () => {
  expect(openApi({ servers: { production: 'https://pets.example.org/v1' } }).servers).toEqual([
    { url: 'https://pets.example.org/v1', description: 'Production' },
  ])
  expect(description.servers.map(server => server.description)).toEqual([
    'Production, on this machine',
    'Staging, on this machine',
  ])
})

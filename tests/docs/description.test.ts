import { describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import description from '../../openapi.json'
import { ERROR_CODES, ERRORS, type ErrorCode } from '../../src/contract/errors.ts'
import { OPERATIONS, type Operation } from '../../src/contract/operations.ts'
import { NewPet } from '../../src/contract/pet.ts'

const { paths, components } = description
const operations = [paths['/pets'].get, paths['/pets'].post, paths['/pets/{petId}'].get]
const { Error: error, NewPet: newPet, Pet: pet, Pets: pets } = components.schemas

describe('openapi.json', () => {
  test('gives every parameter and every header an example, and limit its default', () => {
    for (const { parameters } of operations)
      for (const parameter of parameters) expect(parameter.example).toBeDefined()
    for (const header of Object.values(components.headers)) expect(header.example).toBeDefined()
    expect(paths['/pets'].get.parameters[0]?.schema).toMatchObject({ default: 20, minimum: 1, maximum: 100 })
  })

  test('has no default beside a $ref, which generators take for a field that must be sent', () => {
    expect(newPet.properties.status).not.toHaveProperty('default')
    expect(newPet.properties.status.description).toContain('`available` if omitted')
    expect(newPet.required).toEqual(['name', 'categoryId'])
  })

  test('bounds what the service bounds: int64 to the last digit, pages, cursors, statuses', async () => {
    const text = await Bun.file(join(import.meta.dir, '../../openapi.json')).text()
    expect(text.match(/"minimum": -9223372036854775808,\n\s+"maximum": 9223372036854775807/g)).toHaveLength(3)
    expect(pet.properties.id.minimum).toBe(1)
    expect(pets.maxItems).toBe(100)
    expect(paths['/pets'].get.parameters[2]).toMatchObject({ name: 'cursor', schema: { maxLength: 128 } })
    expect(error.properties.status).toMatchObject({ minimum: 400, maximum: 599 })
    expect(components.headers['Retry-After'].schema.type).toBe('integer')
    expect(components.headers['Idempotent-Replayed'].schema).toEqual({ type: 'boolean', enum: [true] })
  })

  test.each(['Rex', '  x ', 'Ü', '🐶', '\u0000', 'a\u0000b', '', ' ', '\t\n', '\u0085', '\u00a0'])(
    'says of the name %j what the service says',
    name => {
      const described = new RegExp(newPet.properties.name.pattern, 'u').test(name)
      expect(described).toBe(NewPet.safeParse({ name, categoryId: 1 }).success)
    },
  )

  // Not every language's regular expressions can express "no Unicode white space"; none may reject what the service accepts.
  test.each(['\u3000', '\u2028', '\ufeff', '\u200b', '\u3000x'])(
    'refuses no name that the service takes: %j',
    name => {
      if (!NewPet.safeParse({ name, categoryId: 1 }).success) return
      expect(new RegExp(newPet.properties.name.pattern, 'u').test(name)).toBe(true)
    },
  )

  test('names for each status the codes that can come with it, and leaves Error open', () => {
    expect(error.properties.code).not.toHaveProperty('enum')
    const seen = new Set<ErrorCode>()
    for (const { operationId, responses } of operations) {
      const { errors } = OPERATIONS[operationId as keyof typeof OPERATIONS] as Operation
      for (const [status, response] of Object.entries(responses)) {
        if (Number(status) < 400) continue
        const codes = errors.filter(code => ERRORS[code].status === Number(status))
        for (const code of codes) seen.add(code)
        expect(response).toMatchObject({
          content: {
            'application/json': {
              schema: { properties: { code: { enum: codes }, status: { enum: [Number(status)] } } },
            },
          },
        })
      }
    }
    // These depend on the path alone, so no operation returns them.
    const others = ERROR_CODES.filter(code => !seen.has(code))
    expect(others).toEqual(['route_not_found', 'method_not_allowed'])
  })

  test('leads from the animal that was added to the animal', () => {
    expect(paths['/pets'].post.responses[201].links.getPet).toMatchObject({
      operationId: 'getPet',
      parameters: { petId: '$response.body#/id' },
    })
  })
})

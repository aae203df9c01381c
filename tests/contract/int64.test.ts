import { expect, test } from 'bun:test'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('category numbers', service => {
  const exact: [string, string][] = [
    ['0', '0'],
    ['-0', '0'],
    ['-1', '-1'],
    ['9007199254740991', '9007199254740991'],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['1234567890123456789', '1234567890123456789'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['3.0', '3'],
    ['3e0', '3'],
    ['1e2', '100'],
    ['1E+2', '100'],
    ['1.5e1', '15'],
    ['1200e-2', '12'],
    ['9223372036854775807.0', '9223372036854775807'],
    ['9.223372036854775807e18', '9223372036854775807'],
    ['0e999999999999', '0'],
  ]
  test.each(exact)('%s is kept as %s, to the last digit, on every way out', async (sent, kept) => {
    const answer = await service().post(`{"name":"Rex","categoryId":${sent}}`)
    expect(answer.status).toBe(201)
    expect(answer.text).toContain(`"categoryId":${kept},`)
    const { id } = answer.pet
    expect((await service().fetch(`/v1/pets/${id}`)).text).toBe(answer.text)
    expect((await service().fetch('/v1/pets?limit=100')).text).toContain(answer.text)
  })

  const refused = [
    '9223372036854775808',
    '-9223372036854775809',
    '9223372036854775807.5',
    '18446744073709551616',
    '3.5',
    '1e-1',
    '1e19',
    '1e400',
    '-1e400',
    '1e999999999999',
    '"3"',
    '"9223372036854775807"',
    '{}',
    'true',
  ]
  test.each(refused)('%s is a 400, never a rounded number', async sent => {
    const answer = await service().post(`{"name":"Rex","categoryId":${sent}}`)
    expect(answer.failure).toBe('400 invalid_body')
    expect(answer.error.message).toContain('categoryId must be an integer')
  })
})

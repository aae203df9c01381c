import { describe, expect, test } from 'bun:test'
import description from '../../openapi.json'
import { ERROR_CODES } from '../../src/contract/errors.ts'
import { explain } from '../../src/contract/explain.ts'
import { petstore } from '../support/service/cli.ts'

describe('petstore explain', () => {
  test('says of a code what the reference says', async () => {
    const { code, stdout } = await petstore(['explain', 'unavailable'])
    const { meaning, remedy, example } = explain('unavailable')
    expect(code).toBe(0)
    expect(stdout).toStartWith('unavailable (HTTP 503)\n')
    for (const text of [meaning, remedy, example, '/docs#errors-unavailable', 'listPets, createPet, getPet'])
      expect(stdout).toContain(text)
    for (const text of [meaning, remedy]) expect(description.info.description).toContain(text)
  })

  test('lists every code when none is named', async () => {
    const { stdout } = await petstore(['explain'])
    expect(stdout.trim().split('\n')).toHaveLength(ERROR_CODES.length + 1)
    for (const code of ERROR_CODES) expect(stdout).toContain(` ${code} `)
  })

  test.each([
    ['pet_not_fuond', 'pet_not_found'],
    ['Invalid-Body', 'invalid_body'],
    ['ratelimited', 'rate_limited'],
    ['unavailabel', 'unavailable'],
  ])('asks whether a code that is nearly right was meant: %s', async (typed, meant) => {
    expect(await petstore(['explain', typed])).toEqual({
      code: 3,
      stdout: '',
      stderr: `petstore: There is no error code "${typed}". Did you mean ${meant}?\n`,
    })
  })

  test('takes 64 KiB of nonsense for what it is, at once', async () => {
    const { code, stderr } = await petstore(['explain', 'x'.repeat(64 * 1024)])
    expect(code).toBe(3)
    expect(stderr).not.toContain('Did you mean')
  })

  test('says with --json what it says without', async () => {
    const one = await petstore(['explain', 'unavailable', '--json'])
    expect(JSON.parse(one.stdout)).toEqual(explain('unavailable'))
    const all = await petstore(['explain', '--json'])
    expect(JSON.parse(all.stdout)).toEqual(ERROR_CODES.map(explain))
  })

  test('says in one sentence that a code does not exist', async () => {
    const { code, stdout, stderr } = await petstore(['explain', 'no_such\u001b[31m'])
    expect(code).toBe(3)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^petstore: There is no error code [^\n]+\.\n$/)
    expect(stderr).not.toContain('\u001b')
  })
})

test('the reference explains every code', () => {
  for (const { code, meaning } of ERROR_CODES.map(explain)) {
    expect(description.info.description).toContain(`\`${code}\``)
    expect(description.info.description).toContain(meaning)
  }
})

import { expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { onEveryEngine } from '../support/service.ts'

onEveryEngine('names', service => {
  const kept: [string, string][] = [
    ['255 letters', 'a'.repeat(255)],
    ['255 emoji, which are 510 UTF-16 units and 1020 bytes', '🐈'.repeat(255)],
    ['white space around it', '  Rex\t\n'],
    ['a composed accent', '\u00e9'],
    ['a decomposed accent', 'e\u0301'],
    ['quotes, backslashes and markup', '"\\/<script>&amp;\u2028\u2029'],
    ['control characters', 'a\u0001\u001f\u007fb'],
    ['a byte order mark in front', '\ufeffRex'],
    ['the highest code point', '\u{10ffff}\ufffe'],
  ]
  test.each(kept)('%s is kept exactly as sent', async (_what, name) => {
    const answer = await service().post(petJson({ name }))
    expect(answer).toHaveStatus(201)
    expect(answer.pet.name).toBe(name)
    expect((await service().fetch(`/v1/pets/${answer.pet.id}`)).pet.name).toBe(name)
    expect((await service().fetch('/v1/pets?limit=100')).pets.at(-1)?.name).toBe(name)
  })

  const refused: [string, string, RegExp][] = [
    ['an empty name', '""', /1 to 255/],
    ['256 letters', JSON.stringify('a'.repeat(256)), /1 to 255/],
    ['256 emoji', JSON.stringify('🐈'.repeat(256)), /1 to 255/],
    ['only white space of every kind', '"\\t\\n\\r\\u0085\\u00a0\\u2003\\u3000"', /whitespace/],
    ['a NUL', '"a\\u0000b"', /NUL/],
    ['a lone high surrogate', '"a\\ud83d"', /surrogate/],
    ['a lone low surrogate', '"\\udc08b"', /surrogate/],
    ['surrogates the wrong way round', '"\\udc08\\ud83d"', /surrogate/],
  ]
  test.each(refused)('%s is a 400', async (_what, json, message) => {
    const answer = await service().post(`{"name":${json},"categoryId":7}`)
    expect(answer.failure).toBe('400 invalid_body')
    expect(answer.error.message).toMatch(message)
  })
})

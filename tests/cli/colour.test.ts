import { describe, expect, test } from 'bun:test'
import { petstore } from '../support/service/cli.ts'
import type { Variables } from '../support/service/process.ts'
import { inTerminal } from '../support/terminal/command.ts'

const GREEN = '\u001b[32mok\u001b[0m'

describe('doctor', () => {
  test.each<[Variables, boolean]>([
    [{}, true],
    [{ NO_COLOR: '1' }, false],
    [{ TERM: 'dumb' }, false],
    [{ FORCE_COLOR: 'false' }, false],
  ])('paints its verdicts in a terminal with %p: %p', async (variables, expected) => {
    const { text } = await inTerminal(['doctor', '--port', '0'], variables)
    expect(text).toContain('settings')
    expect(text.includes(GREEN)).toBe(expected)
    if (!expected) expect(text).not.toContain('\u001b')
  })

  test.each<[Variables, boolean]>([
    [{}, false],
    [{ FORCE_COLOR: '1' }, true],
    [{ FORCE_COLOR: '1', NO_COLOR: '1' }, false],
  ])('and in a pipe with %p: %p', async (variables, expected) => {
    const { stdout } = await petstore(['doctor', '--port', '0'], variables)
    expect(stdout.includes(GREEN)).toBe(expected)
  })

  test('puts no colour into JSON', async () => {
    const { stdout } = await petstore(['doctor', '--port', '0', '--json'], { FORCE_COLOR: '1' })
    expect(stdout).not.toContain('\u001b')
  })
})

test('help is never painted', async () => {
  for (const variables of [{}, { FORCE_COLOR: '1' }])
    expect((await inTerminal(['--help'], variables)).text).not.toContain('\u001b')
})

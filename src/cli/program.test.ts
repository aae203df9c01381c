import { expect, test } from 'bun:test'
import { EXIT_CODES } from '../operator-error.ts'
import { COMMAND_EXAMPLES, commandsIn, program } from './program.ts'

const commands = commandsIn(await program())

test('every help fits 80 columns; that of a command ends with examples, which name only flags that there are, that of the program with the exit codes', () => {
  const leaves = commands.filter(({ command }) => command.commands.length === 0)
  expect(Object.keys(COMMAND_EXAMPLES).toSorted()).toEqual(leaves.map(({ path }) => path).toSorted())
  for (const { path, command } of commands) {
    let text = ''
    command.configureOutput({ writeOut: part => (text += part) })
    command.outputHelp()
    expect(text).toStartWith(`Usage: petstore ${path}`.trimEnd())
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    for (const words of COMMAND_EXAMPLES[path] ?? []) {
      expect(text).toMatch(/\nExamples:\n {2}petstore /)
      expect(words).toStartWith(path)
      const flags = words.split(' ').filter(word => word.startsWith('--'))
      expect(flags.filter(flag => !command.options.some(({ long }) => long === flag))).toEqual([])
    }
    if (path === '')
      for (const { code, meaning } of Object.values(EXIT_CODES))
        expect(text).toContain(`  ${code}  ${meaning}\n`)
  }
})

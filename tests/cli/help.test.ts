import { expect, test } from 'bun:test'
import { newKey } from '../../src/keys/api-key.ts'
import { freshFolder, petstore } from '../support/process.ts'

test.each<[words: string, has: RegExp, lacks: RegExp]>([
  ['help keys', /^Usage: petstore keys /, /create an API key and show it once\n\nOptions/],
  ['help keys create', /^Usage: petstore keys create /, / to serve/],
  ['help ready', /that the service listens on/, / to listen on/],
  ['help pets get', /deprecated[^.]+removal\s+on 5 December 2030/, /^$/],
  ['help doctor', /--api-key/, /--rate-limit|--threads| to listen on/],
])('%s shows the help of that command, and only flags that matter to it', async (words, has, lacks) => {
  const { code, stdout } = await petstore(words.split(' '), { TZ: 'Pacific/Honolulu' })
  expect(code).toBe(0)
  expect(stdout).toMatch(has)
  expect(stdout).not.toMatch(lacks)
})

test('without a command, the help goes to standard error, and the exit code says so', async () => {
  for (const words of [[], ['keys']]) {
    const { code, stdout, stderr } = await petstore(words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toStartWith('Usage: petstore')
    expect(stderr).toEndWith('\npetstore: Choose one of these commands.\n')
  }
})

test('a misspelt word gets the right one, in one sentence, without what may be a secret', async () => {
  const cases: [string[], string][] = [
    [['sevre'], "Unknown command 'sevre'. Did you mean serve?"],
    [['constructor'], "Unknown command 'constructor'."],
    [['keys', 'create', '--nam', 'x'], "Unknown option '--nam'. Did you mean --name?"],
    [['serve', '--api-ky=canary-5f3a9e'], "Unknown option '--api-ky'."],
    [['serve', '--port=1', '--api-ky=canary-5f3a9e'], "Unknown option '--api-ky'."],
    [['serve', "--api'ky=canary-5f3a9e"], "Unknown option '--api'ky'."],
    [['serve', '-api-key=canary-5f3a9e'], "Unknown option '-api-key'."],
  ]
  for (const [words, sentence] of cases) {
    const stderr = `petstore: ${sentence} See --help.\n`
    expect(await petstore(words)).toEqual({ code: 2, stdout: '', stderr })
  }
})

test('no error repeats a word that is an API key, wherever it was given', async () => {
  const { key } = newKey('production', 'leaked')
  const cases =
    `KEY|keys KEY|keys rotate KEY|keys list KEY|serve --KEY|serve --env-file KEY|pets KEY|pets get KEY
    |pets list --status KEY|pets import KEY|backup b.db --database-url sqlite:KEY|restore KEY`
      .split(/\s*\|/)
      .map(words => words.replace('KEY', key).split(' '))
  const cwd = await freshFolder()
  const runs = await Promise.all(cases.map(words => petstore(words, {}, { cwd })))
  for (const { code, stdout, stderr } of runs) {
    expect([2, 3]).toContain(code)
    expect(stdout + stderr).not.toContain(key)
  }
})

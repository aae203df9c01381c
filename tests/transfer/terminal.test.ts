import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import type { Variables } from '../support/service/process.ts'
import { API_KEY } from '../support/service/service.ts'
import { startProcess } from '../support/service/service-process.ts'
import { inTerminal, linesLeft } from '../support/terminal/command.ts'

const ANIMALS = 300
const FULL = /\[#{24}\] 100 % {2}300 animals/

async function animalsFile(): Promise<string> {
  const file = join(await freshFolder(), 'animals.ndjson')
  await Bun.write(file, '{"name":"Rex","categoryId":7}\n'.repeat(ANIMALS))
  return file
}

test('a terminal shows a bar for the reading and one for the adding, and then the outcome on a line of its own', async () => {
  const file = await animalsFile()
  const service = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const places: [Variables, string[]][] = [
    [{}, ['--create', '--database-url', await freshSqliteUrl()]],
    [{ PETSTORE_API_KEY: API_KEY }, ['--base-url', `${service.url}/v1`]],
  ]
  for (const [variables, place] of places) {
    const [reading, adding, outcome] = linesLeft(
      await inTerminal(['pets', 'import', file, '--yes', ...place], variables),
    )
    expect(reading).toMatch(/^Reading {2}/)
    expect(reading).toMatch(FULL)
    expect(adding).toMatch(/^Adding {3}/)
    expect(adding).toMatch(FULL)
    expect(outcome).toMatch(/^Imported 300 animals with identifiers from 1 to 300 in \d+\.\d s\.$/)
  }
  await service.stop()
})

test('what goes wrong stands on a line of its own too', async () => {
  const file = await animalsFile()
  await Bun.write(file, `${await Bun.file(file).text()}nonsense\n`)
  const lines = linesLeft(
    await inTerminal(['pets', 'import', file, '--create', '--yes', '--database-url', await freshSqliteUrl()]),
  )
  expect(lines).toContain('line 301: it is not JSON')
  expect(lines.find(line => line.startsWith('petstore: 1 line is bad'))).toBeDefined()

  const gone = ['--base-url', 'http://127.0.0.1:9/v1']
  const unreachable = linesLeft(
    await inTerminal(['pets', 'import', await animalsFile(), '--yes', ...gone], {
      PETSTORE_API_KEY: API_KEY,
    }),
  )
  expect(unreachable.find(line => line.startsWith('petstore: connection_failed'))).toBeDefined()
})

test('a terminal that cannot redraw gets plain lines, and no escape', async () => {
  const store = await freshSqliteUrl()
  const { code, text } = await inTerminal(
    ['pets', 'import', await animalsFile(), '--create', '--yes', '--database-url', store],
    { TERM: 'dumb' },
  )
  expect(code).toBe(0)
  expect(text).toMatch(/^Imported 300 animals [^\n]+\r\n$/)
})

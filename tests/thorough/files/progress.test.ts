import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { commandLine, environmentWith, freshFolder } from '../../support/process.ts'
import { API_KEY } from '../../support/service.ts'

test('a long import without a terminal shows every 10 seconds how far it is', async () => {
  const file = join(await freshFolder(), 'animals.ndjson')
  await Bun.write(file, '{"name":"Rex","categoryId":1}\n'.repeat(1234))
  const animal = { id: 1, name: 'Rex', categoryId: 1, status: 'available' }
  let asked = 0
  using server = Bun.serve({
    port: 0,
    // The last one never gets a response.
    fetch: () => (++asked < 1234 ? Response.json(animal, { status: 201 }) : new Promise<never>(() => {})),
  })
  const args = ['pets', 'import', file, '--yes', '--base-url', `${server.url}v1`]
  const child = Bun.spawn(commandLine(...args), {
    env: environmentWith({ PETSTORE_API_KEY: API_KEY }),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const { value } = await child.stderr.getReader().read()
  child.kill('SIGINT')
  expect(new TextDecoder().decode(value)).toBe('Importing 1,234 animals: 1,233\n')
  expect(await child.exited).toBe(1)
})

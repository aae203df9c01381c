import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fresh, PLACES } from '../../copy/stores.ts'
import { environmentWith, eventually, freshFolder, Output } from '../../support/process.ts'

/** The program as it would be with one more field: nothing else of its sources is changed. */
const EDITS: readonly (readonly [file: string, before: string, after: string])[] = [
  [
    'src/contract/pet.ts',
    '  status: {\n',
    `  breed: {
    column: 'breed',
    kind: 'text',
    description: 'Breed.',
    schema: { minLength: 1, maxLength: 50 },
    example: 'Spitz',
  },
  status: {
`,
  ],
  ['src/store/sqlite/schema.sql', '  status TEXT NOT NULL', '  breed TEXT NOT NULL,\n  status TEXT NOT NULL'],
  [
    'src/store/postgres/schema.sql',
    '  status text NOT NULL',
    '  breed text NOT NULL,\n  status text NOT NULL',
  ],
]
const ROOT = join(import.meta.dir, '../../..')
const KEY = 'the-key-of-the-new-field-0123456789'
const BREED = 'Zwergspitz, "klein"'

let program = ''
beforeAll(async () => {
  program = await freshFolder()
  for (const name of ['src', 'client', 'package.json', 'tsconfig.json'])
    cpSync(join(ROOT, name), join(program, name), {
      recursive: true,
      filter: path => !path.includes('node_modules'),
    })
  symlinkSync(join(ROOT, 'node_modules'), join(program, 'node_modules'))
  for (const [file, before, after] of EDITS) {
    const text = readFileSync(join(program, file), 'utf8')
    expect([file, text.split(before).length]).toEqual([file, 2])
    writeFileSync(
      join(program, file),
      text.replace(before, () => after),
    )
  }
})

const command = (...args: string[]): string[] => [process.execPath, join(program, 'src/main.ts'), ...args]

async function run(args: readonly string[], variables: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn(command(...args), {
    cwd: program,
    env: environmentWith({ PETSTORE_API_KEY: KEY, ...variables }),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, errors] = await Promise.all([child.stdout.text(), child.stderr.text()])
  expect([args[0], await child.exited, errors]).toEqual([args[0], 0, expect.anything()])
  return out
}

async function serve(databaseUrl: string) {
  const output = new Output()
  const child = Bun.spawn(command('serve'), {
    cwd: program,
    env: environmentWith({ PORT: '0', DATABASE_URL: databaseUrl, PETSTORE_API_KEY: KEY }),
    stdio: ['ignore', output.file, 'inherit'],
  })
  const line = await eventually('the service listens', () =>
    output.log.find(({ event }) => event === 'listening'),
  )
  const base = `${line.url}/v1`
  const call = async (path: string, body?: object, headers: Record<string, string> = {}) => {
    const response = await fetch(`${base}/pets${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    return [response.status, await response.json()]
  }
  const stop = (): Promise<number> => {
    child.kill()
    return child.exited
  }
  return { base, call, stop }
}

const sent = { name: 'Rex', breed: BREED, categoryId: 7 }
const stored = { id: 1, ...sent, status: 'available' }

describe.each(PLACES)('a field that is in the list of fields and in the schema of %s', place => {
  let url: string
  let service: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    url = await fresh(place)
    service = await serve(url)
  })
  afterAll(() => service.stop())

  test('is checked, stored, listed, got and replayed', async () => {
    expect(await service.call('', { name: 'Rex', categoryId: 7 })).toMatchObject([
      400,
      { code: 'invalid_body' },
    ])
    const once = { 'Idempotency-Key': 'once' }
    for (const attempt of [1, 2])
      expect([attempt, ...(await service.call('', sent, once))]).toEqual([attempt, 201, stored])
    expect(await service.call('', { ...sent, breed: 'other' }, once)).toMatchObject([
      422,
      { code: 'idempotency_key_reused' },
    ])
    expect(await service.call('/1')).toEqual([200, stored])
    expect(await service.call('?status=available')).toEqual([200, [stored]])
  })

  test('is in the description', async () => {
    const response = await fetch(service.base.replace('/v1', '/openapi.json'))
    const breed = { type: 'string', description: 'Breed.', minLength: 1, maxLength: 50, examples: ['Spitz'] }
    const described = { required: expect.arrayContaining(['breed']), properties: { breed } }
    expect(await response.json()).toMatchObject({
      components: { schemas: { Pet: described, NewPet: described } },
    })
  })

  test.each(['ndjson', 'csv'])('survives an export and an import as %s', async format => {
    const client = { PETSTORE_BASE_URL: service.base }
    const file = join(await freshFolder(), `animals.${format}`)
    await run(['pets', 'export', file], client)
    expect(readFileSync(file, 'utf8')).toContain('Zwergspitz')
    await run(['pets', 'import', file, '--yes', '--again'], client)
    const [, pets] = await service.call('?limit=100')
    const breeds = (pets as { breed: string }[]).map(({ breed }) => breed)
    expect(breeds.length).toBeGreaterThan(1)
    expect(new Set(breeds)).toEqual(new Set([BREED]))
  })

  test.each(PLACES)('survives a copy to %s', async target => {
    const to = await fresh(target)
    await service.stop()
    await run(['copy', '--from', url, '--to', to])
    await run(['copy', '--unmark', url])
    await expectKept(to)
    service = await serve(url)
  })

  if (place === 'sqlite')
    test('survives a backup and its restore', async () => {
      const file = join(await freshFolder(), 'backup.db')
      await run(['backup', file], { DATABASE_URL: url })
      const restored = await fresh('sqlite')
      await run(['restore', file], { DATABASE_URL: restored })
      await expectKept(restored)
    })
})

/** The first animal, and the answer that is remembered for it. */
async function expectKept(url: string): Promise<void> {
  const service = await serve(url)
  try {
    expect(await service.call('/1')).toEqual([200, stored])
    expect(await service.call('', sent, { 'Idempotency-Key': 'once' })).toEqual([201, stored])
  } finally {
    await service.stop()
  }
}

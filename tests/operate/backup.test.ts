import { describe, expect, test } from 'bun:test'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { petJson } from '../support/http/exact.ts'
import { walk } from '../support/http/walk.ts'
import { Load } from '../support/load/load.ts'
import { petstore } from '../support/service/cli.ts'
import { engineAt } from '../support/service/engine-at.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { commandLine, environmentWith, eventually } from '../support/service/process.ts'
import { startService } from '../support/service/service.ts'
import { makeStore } from '../support/service/stored-pets.ts'

describe('a backup of a service at work', () => {
  test('holds every animal that was acknowledged before it began, and is one moment of the store', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({ databaseUrl })
    const load = new Load(() => service.url)
    await eventually('animals are added', () => load.acknowledged.size > 20 || undefined)
    const acknowledged = [...load.acknowledged.values()]
    const file = join(await freshFolder(), 'backup.db')
    const made = await petstore(['backup', file], { DATABASE_URL: databaseUrl })
    await load.stop()
    expect(made.code).toBe(0)
    expect(made.stdout).toMatch(
      /^Backed up [\d,]+ animals and 0 API keys of production to .*, verified\)\.\n$/,
    )
    expect({ unexpected: load.unexpected, unavailable: load.unavailable, foreign: load.foreign }).toEqual({
      unexpected: [],
      unavailable: 0,
      foreign: [],
    })

    const restored = await startService({ databaseUrl: `sqlite:${file}` })
    const animals = (await walk(restored, '/v1/pets?limit=100')).pets
    const known = new Map(animals.map(pet => [pet.id, pet]))
    for (const pet of acknowledged) expect(known.get(pet.id)).toEqual(pet)
    const original = (await walk(service, '/v1/pets?limit=100')).pets
    expect(animals).toEqual(original.slice(0, animals.length))
    await Promise.all([service.stop(), restored.stop()])
  })

  test('is one file that only its owner may read, with nothing left beside it', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({ databaseUrl })
    const folder = await freshFolder()
    await petstore(['backup', join(folder, 'backup.db')], { DATABASE_URL: databaseUrl })
    expect(readdirSync(folder)).toEqual(['backup.db'])
    expect(statSync(join(folder, 'backup.db')).mode & 0o777).toBe(0o600)
    await service.stop()
  })
})

describe('a backup never takes the place of something else', () => {
  const refusal = (file: string, databaseUrl: string, force = false): Promise<string> =>
    engineAt(databaseUrl)
      .backUp({ file, force })
      .then(
        () => 'done',
        ({ exit, message }: { exit: string; message: string }) => `${exit}: ${message}`,
      )

  test('a file that is there is replaced only by force', async () => {
    const databaseUrl = await freshSqliteUrl()
    await makeStore(databaseUrl, [])
    const file = join(await freshFolder(), 'mine')
    writeFileSync(file, 'mine')
    expect(await refusal(file, databaseUrl)).toMatch(/^invalid: .* already exists/)
    expect(readFileSync(file, 'latin1')).toBe('mine')
    expect(await refusal(file, databaseUrl, true)).toBe('done')
    expect(readFileSync(file, 'latin1')).toStartWith('SQLite format 3')
  })

  test('the database itself is not replaced, not even by force', async () => {
    const databaseUrl = await freshSqliteUrl()
    const service = await startService({ databaseUrl })
    const { pet } = await service.post(petJson({ name: 'safe' }))
    for (const part of ['', '-wal', '-shm', '-journal'])
      expect(await refusal(databaseUrl.replace('sqlite:', '') + part, databaseUrl, true)).toMatch(
        /^invalid: .* is the database itself/,
      )
    expect((await service.fetch(`/v1/pets/${pet.id}`)).pet).toEqual(pet)
    expect(await service.stop()).toBe(0)
  })

  test('a folder, or a folder that is not there, is refused', async () => {
    const databaseUrl = await freshSqliteUrl()
    await makeStore(databaseUrl, [])
    const folder = await freshFolder()
    expect(await refusal(folder, databaseUrl)).toMatch(/^invalid: .* is not a file/)
    expect(await refusal(join(folder, 'no', 'b.db'), databaseUrl)).toMatch(/^missing: .* does not exist/)
  })

  test('a database that does not exist is not made by backing it up', async () => {
    const databaseUrl = await freshSqliteUrl()
    expect(await refusal(join(await freshFolder(), 'b.db'), databaseUrl)).toMatch(
      /^missing: There is no database/,
    )
    expect(existsSync(databaseUrl.replace('sqlite:', ''))).toBe(false)
  })

  test('a disk that is full leaves no file behind', async () => {
    const databaseUrl = await freshSqliteUrl()
    await makeStore(
      databaseUrl,
      Array.from({ length: 9000 }, (_, n) => `animal ${n} ${'x'.repeat(40)}`),
    )
    const file = join(await freshFolder(), 'b.db')
    const limited = ['sh', '-c', 'ulimit -f 256; trap "" XFSZ; exec "$@"', 'sh']
    const child = Bun.spawn([...limited, ...commandLine('backup', file)], {
      env: environmentWith({ DATABASE_URL: databaseUrl }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await child.exited).toBe(1)
    expect(await child.stderr.text()).toContain('Nothing was left behind')
    expect(readdirSync(dirname(file))).toEqual([])
  })
})

test('with PostgreSQL both commands say in one sentence what to use instead', async () => {
  const engine = engineAt('postgres://nobody:secret@127.0.0.1:1/none')
  await expect(engine.backUp({ file: 'x.db', force: false })).rejects.toThrow(/pg_dump/)
  await expect(engine.restore({ file: 'x.db', force: false, nextId: undefined })).rejects.toThrow(
    /pg_restore/,
  )
})

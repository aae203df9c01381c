import { expect } from 'bun:test'
import { chownSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY } from '../../support/service.ts'
import { makeStore } from '../../support/store.ts'

const NOBODY = 65534

needs('root').test(
  'root is sent away from the folder of another user, and leaves nothing in it',
  async () => {
    const folder = await freshFolder()
    const data = join(folder, 'data')
    mkdirSync(data)
    chownSync(data, NOBODY, NOBODY)
    const theirs = { DATABASE_URL: `sqlite:${join(data, 'new', 'animals.db')}` }
    const ours = { DATABASE_URL: await freshSqliteUrl() }
    await makeStore(ours.DATABASE_URL, ['Rex'])
    for (const [args, variables] of [
      [['serve', '--port', '0'], theirs],
      [['keys', 'create', '--create', '--name', 'x'], theirs],
      [['backup', join(data, 'b.db')], ours],
    ] as const) {
      const { code, stderr } = await petstore([...args], variables)
      expect(`${code} ${stderr}`).toMatch(
        /^2 (?:.*\n)?petstore: The folder \S+ belongs to user 65534\. Run this as that user\.\n$/,
      )
    }
    expect(readdirSync(data)).toEqual([])
  },
)

needs('root').test(
  "another user's settings file sends no key anywhere: it is refused, through a symbolic link too, and root's is not",
  async () => {
    const requests: string[] = []
    using theirs = Bun.serve({
      hostname: '127.0.0.1',
      port: 0,
      fetch: ({ headers }) => {
        requests.push(headers.get('authorization') ?? '')
        return Response.json([])
      },
    })
    const [folder, linking] = [await freshFolder(), await freshFolder()]
    const file = join(folder, 'petstore.env')
    writeFileSync(file, `PETSTORE_BASE_URL=${theirs.url}v1\n`)
    symlinkSync(file, join(linking, 'petstore.env'))
    const list = (cwd: string) => petstore(['pets', 'list'], { PETSTORE_API_KEY: API_KEY }, { cwd })
    chownSync(file, NOBODY, NOBODY)
    for (const cwd of [folder, linking])
      expect(await list(cwd)).toEqual({
        code: 2,
        stdout: '',
        stderr:
          'petstore: The settings file petstore.env belongs to user 65534. Change to another folder, or choose another file with --env-file.\n',
      })
    expect(requests).toEqual([])
    chownSync(file, 0, 0)
    expect((await list(linking)).code).toBe(0)
    expect(requests).toEqual([`Bearer ${API_KEY}`])
  },
)

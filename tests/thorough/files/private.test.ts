import { expect } from 'bun:test'
import { chownSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { freshFolder, freshSqliteUrl, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { makeStore } from '../../support/service.ts'

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

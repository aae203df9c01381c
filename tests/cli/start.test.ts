import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { petstore } from '../support/service/cli.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { startService } from '../support/service/service.ts'

test('a start that cannot work ends with one sentence and its exit code', async () => {
  const folder = await freshFolder()
  const file = join(folder, 'file')
  await writeFile(file, '')
  const fresh = await freshSqliteUrl()
  const cases: [number, RegExp, Record<string, string>][] = [
    [1, /file\/data\/animals\.db/, { DATABASE_URL: `sqlite:${join(file, 'data', 'animals.db')}` }],
    [1, /petstore-test-/, { DATABASE_URL: `sqlite:${folder}` }],
    [2, /PORT \(--port\) must be/, { PORT: 'canary' }],
    [2, /PETSTORE_API_KEY_FILE/, { PETSTORE_API_KEY_FILE: join(folder, 'canary') }],
  ]
  for (const [exit, reason, variables] of cases) {
    const { code, stdout, stderr } = await petstore(['serve'], {
      PORT: '0',
      DATABASE_URL: fresh,
      ...variables,
    })
    expect({ code, stdout }).toEqual({ code: exit, stdout: '' })
    expect(stderr).toMatch(/^petstore: [^\n]+\.\n$/)
    expect(stderr).toMatch(reason)
    expect(stderr).not.toContain('canary')
  }
})

test('a port in use is exit code 5, and leaves no database', async () => {
  const first = await startService({ databaseUrl: await freshSqliteUrl() })
  const { port } = new URL(first.url)
  const cwd = await freshFolder()
  const { code, stderr } = await petstore(['serve'], { PORT: port }, { cwd })
  first.discard()
  expect(`${code} ${stderr}`).toMatch(/^5 petstore: Port \d+ on 127\.0\.0\.1 is in use\. [^\n]+\n$/)
  expect(existsSync(join(cwd, 'data'))).toBe(false)
})

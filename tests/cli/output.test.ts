import { Database } from 'bun:sqlite'
import { beforeAll, describe, expect, test } from 'bun:test'
import { createKey, petstore } from '../support/service/cli.ts'
import { freshSqliteUrl } from '../support/service/folder.ts'
import { commandLine, environmentWith } from '../support/service/process.ts'

const KEYS = 3000

/** Runs a command with its standard output redirected by a shell. `set -o pipefail` returns its exit code. */
async function led(script: string, variables: Record<string, string>, ...args: string[]) {
  const child = Bun.spawn(
    ['bash', '-o', 'pipefail', '-c', `"$@" ${script}`, 'bash', ...commandLine(...args)],
    {
      env: environmentWith(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, stdout, stderr }
}

describe('what a command prints', () => {
  let DATABASE_URL: string
  beforeAll(async () => {
    DATABASE_URL = await freshSqliteUrl()
    await createKey(DATABASE_URL, 'first')
    const database = new Database(DATABASE_URL.replace('sqlite:', ''))
    const columns = 'name, hint, created_at'
    database.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${KEYS})
       INSERT INTO api_keys (id, hash, ${columns}) SELECT 'key_' || i, 'hash ' || i, ${columns} FROM n, (SELECT * FROM api_keys LIMIT 1)`,
    )
    database.close()
  })

  test('arrives whole at a reader that is slow to begin, however much it is', async () => {
    const whole = await petstore(['keys', 'list', '--json'], { DATABASE_URL })
    expect(JSON.parse(whole.stdout)).toHaveLength(KEYS + 1)
    const slow = await led('| { sleep 1; cat; }', { DATABASE_URL }, 'keys', 'list', '--json')
    expect(slow).toEqual({ code: 0, stdout: whole.stdout, stderr: '' })
  })

  test('is no failure where the reader has seen enough', async () => {
    const { code, stdout, stderr } = await led('| head -n 1', { DATABASE_URL }, 'keys', 'list', '--json')
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '[\n', stderr: '' })
  })

  const commands = ['keys list', 'openapi', 'explain --json', 'completion bash', 'version']
  test.skipIf(process.platform !== 'linux').each(commands)(
    'that cannot be written is a failure, with a sentence: %s',
    async words => {
      const { code, stderr } = await led('>/dev/full', { DATABASE_URL }, ...words.split(' '))
      expect(code).toBe(1)
      expect(stderr).toMatch(/^petstore: Standard output cannot be written: [^\n]+\.\n$/)
    },
  )
})

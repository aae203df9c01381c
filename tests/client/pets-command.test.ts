import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { commandLine, environmentWith, freshSqliteUrl, inTerminal, petstore } from '../support/process.ts'
import { API_KEY, type Service, startService } from '../support/service.ts'

const STEERING_NAME = 'Rex\u001b[31m\n\u202e'

let service: Service
let variables: Record<string, string>

const pets = (...args: string[]) => petstore(['pets', ...args], variables)

beforeAll(async () => {
  service = await startService({ databaseUrl: await freshSqliteUrl() })
  variables = { PETSTORE_API_KEY: API_KEY, PORT: new URL(service.url).port }
  for (let number = 1; number <= 250; number++)
    await service.post(`{"name":"pet ${number}","categoryId":${number},"status":"pending"}`)
})

afterAll(() => service.stop())

describe('petstore pets in a pipe', () => {
  test('add shows the animal as one line of JSON, exact to the last digit', async () => {
    const { code, stdout } = await pets(
      'add',
      STEERING_NAME,
      '--category-id',
      '-9223372036854775808',
      '--status',
      'sold',
    )
    expect(stdout).toBe(
      `{"id":251,"name":${JSON.stringify(STEERING_NAME)},"categoryId":-9223372036854775808,"status":"sold"}\n`,
    )
    expect(code).toBe(0)
  })

  test('get shows one animal, and says nothing of the deprecation to a script', async () => {
    expect(await pets('get', '7')).toEqual({
      code: 0,
      stdout: '{"id":7,"name":"pet 7","categoryId":7,"status":"pending"}\n',
      stderr: '',
    })
  })

  test('list shows one page, or as many as --limit says; --all shows every animal, --status only those', async () => {
    expect(linesOf(await pets('list'))).toHaveLength(20)
    expect(linesOf(await pets('list', '--limit', '3'))).toHaveLength(3)
    const lines = linesOf(await pets('list', '--all', '--status', 'pending'))
    expect(lines.map(line => JSON.parse(line).id)).toEqual(
      Array.from({ length: 250 }, (_, index) => index + 1),
    )
  })

  test('a reader that leaves early ends the command without a complaint', async () => {
    const [command = '', ...args] = commandLine('pets', 'list', '--all', '--limit', '1')
    const child = Bun.spawn(['sh', '-c', '"$0" "$@" | head -n 1', command, ...args], {
      env: environmentWith(variables),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    expect(await child.stdout.text()).toStartWith('{"id":1,')
    expect(await child.stderr.text()).toBe('')
  })

  test('the same idempotency key adds one animal', async () => {
    const args = ['add', 'Once', '--category-id', '1', '--idempotency-key', 'only-once']
    expect((await pets(...args)).stdout).toBe((await pets(...args)).stdout)
  })
})

describe('petstore pets in a terminal', () => {
  test('shows a table, says when more follow, and lets no name steer the terminal', async () => {
    const list = await shown('pets', 'list', '--limit', '2', '--status', 'pending')
    expect(list.replace(/--cursor \S+/, '--cursor CURSOR')).toBe(
      'ID  NAME   CATEGORY  STATUS\r\n' +
        '1   pet 1  1         pending\r\n' +
        '2   pet 2  2         pending\r\n' +
        'More follow: --all lists every animal, --cursor CURSOR the next ones.\r\n',
    )
    const steering = await shown('pets', 'list', '--status', 'sold')
    expect(steering).toContain('Rex\\u{1b}[31m\\u{a}\\u{202e}')
  })

  test('goes on at the cursor that it named', async () => {
    const args = ['list', '--limit', '2', '--status', 'pending']
    const [, cursor = ''] = /--cursor (\S+)/.exec(await shown('pets', ...args)) ?? []
    expect(linesOf(await pets(...args, '--json', '--cursor', cursor))[0]).toStartWith('{"id":3,')
  })

  test('a table is no wider than the terminal, however long a name', async () => {
    await service.post(`{"name":"${'🐈'.repeat(255)}","categoryId":1,"status":"sold"}`)
    for (const line of (await shown('pets', 'list', '--status', 'sold')).split('\r\n'))
      expect(Bun.stringWidth(line)).toBeLessThanOrEqual(100)
  })

  test('shows one JSON object a line with --json, exact to the last digit', async () => {
    await service.post('{"name":"far","categoryId":9223372036854775807,"status":"available"}')
    expect(await shown('pets', 'list', '--status', 'available', '--json')).toContain(
      '"name":"far","categoryId":9223372036854775807,"status":"available"}\r\n',
    )
  })

  test('tells a person that get is deprecated, and until when', async () => {
    expect(await shown('pets', 'get', '1')).toContain('getPet is deprecated; it is removed on 2030-12-05.')
  })
})

describe('petstore pets ends with', () => {
  test('3 when there is no such animal, with code, message and request id in one line', async () => {
    const { code, stderr } = await pets('get', '9223372036854775807')
    expect(stderr).toMatch(/^petstore: pet_not_found: There is no animal .* \(request id [\w.-]+\)\n$/)
    expect(code).toBe(3)
  })

  test('4 when the API key is not accepted, without showing it', async () => {
    const { code, stderr } = await pets('list', '--api-key', 'some-other-key-0123456789')
    expect(stderr).toContain('invalid_api_key')
    expect(stderr).not.toContain('some-other-key')
    expect(code).toBe(4)
  })

  test('5 when the server cannot be reached, and why', async () => {
    const { code, stderr } = await pets('list', '--base-url', 'http://127.0.0.1:1/v1')
    expect(stderr).toStartWith(
      'petstore: No connection to http://127.0.0.1:1/v1, or it broke. Trying again.\n',
    )
    expect(stderr).toEndWith(
      'petstore: connection_failed: No connection to http://127.0.0.1:1/v1, or it broke. (ECONNREFUSED)\n',
    )
    expect(code).toBe(5)
  })

  test('2 for what is invalid, here or at the server', async () => {
    const cases = [
      ['list', '--status', 'gone'],
      ['list', '--limit', '101'],
      ['get', '9223372036854775808'],
      ['add', 'Rex'],
      ['add', ' ', '--category-id', '1'],
      ['list', '--base-url', 'http://127.0.0.1:1/'],
    ]
    for (const { code, stdout, stderr } of await Promise.all(cases.map(args => pets(...args)))) {
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^petstore: [^\n]+\n$/)
    }
  })

  test('2 without an API key, with the name of its setting', async () => {
    const { code, stderr } = await petstore(['pets', 'list'])
    expect(stderr).toContain('PETSTORE_API_KEY (--api-key) is not set')
    expect(code).toBe(2)
  })

  test('1 when the server is another one than was meant', async () => {
    const { code, stderr } = await pets('get', '1', '--base-url', `${service.url}/else/v1`)
    expect(stderr).toContain('route_not_found')
    expect(code).toBe(1)
  })
})

const linesOf = ({ stdout }: { stdout: string }): string[] => stdout.split('\n').slice(0, -1)

const shown = async (...args: string[]): Promise<string> => (await inTerminal(args, variables)).text

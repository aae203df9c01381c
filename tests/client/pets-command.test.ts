import { beforeAll, describe, expect, test } from 'bun:test'
import { petJson } from '../support/http.ts'
import { eventually, inTerminal, petstore, start } from '../support/process.ts'
import { API_KEY, sharedService } from '../support/service.ts'
import { TcpProxy } from '../support/tcp-proxy.ts'

const STEERING_NAME = 'Rex\u001b[31m\n\u202e'

const service = sharedService()
let variables: Record<string, string>

const pets = (...args: string[]) => petstore(['pets', ...args], variables)

beforeAll(async () => {
  variables = { PETSTORE_API_KEY: API_KEY, PORT: new URL(service().url).port }
  for (let number = 1; number <= 25; number++)
    await service().post(`{"name":"pet ${number}","categoryId":${number},"status":"pending"}`)
  await service().post(petJson({ name: STEERING_NAME, status: 'sold' }))
})

describe('petstore pets in a pipe', () => {
  test('add shows the animal as one line of JSON, exact to the last digit', async () => {
    const category = '-9223372036854775808'
    const { code, stdout } = await pets('add', STEERING_NAME, '--category-id', category, '--status', 'sold')
    const name = JSON.stringify(STEERING_NAME)
    const line = `{"id":ID,"name":${name},"categoryId":${category},"status":"sold"}\n`
    expect([code, stdout.replace(/\d+/, 'ID')]).toEqual([0, line])
  })

  test('get shows one animal, and says nothing of the deprecation to a script', async () => {
    const stdout = '{"id":7,"name":"pet 7","categoryId":7,"status":"pending"}\n'
    expect(await pets('get', '7')).toEqual({ code: 0, stdout, stderr: '' })
  })

  test('list shows a page of 20, or all of a status', async () => {
    const page = await pets('list')
    expect([linesOf(page).length, page.stderr]).toEqual([20, ''])
    const lines = linesOf(await pets('list', '--all', '--limit', '9', '--status', 'pending'))
    expect(lines.map(line => JSON.parse(line).id)).toEqual(Array.from({ length: 25 }, (_, n) => n + 1))
  })

  test('a reader that leaves early ends the command without a complaint', async () => {
    const within = ['bash', '-o', 'pipefail', '-c', '"$@" | :', 'bash']
    const ran = await petstore(['pets', 'list', '--all', '--limit', '1'], variables, { within })
    expect(ran).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  test('the same idempotency key adds one animal, and is refused for another', async () => {
    const add = (name: string) => pets('add', name, '--category-id', '1', '--idempotency-key', 'only-once')
    const once = await add('Once')
    expect(JSON.parse(once.stdout).name).toBe('Once')
    expect(await add('Once')).toEqual(once)
    const refused = (code: string) => ({ code: 2, stdout: '', stderr: expect.stringContaining(code) })
    expect(await add('Other')).toEqual(refused('idempotency_key_reused'))
    expect(await add('x'.repeat(70_000))).toEqual(refused('body_too_large'))
  })
})

describe('petstore pets in a terminal', () => {
  test('shows a table, says when more follow, and lets no name steer the terminal', async () => {
    const list = await shown('pets', 'list', '--limit', '2', '--status', 'pending')
    expect(list).toBe(
      'ID  NAME   CATEGORY  STATUS\r\n' +
        '1   pet 1  1         pending\r\n' +
        '2   pet 2  2         pending\r\n' +
        'There are more animals; --all lists all of them.\r\n',
    )
    const steering = await shown('pets', 'list', '--status', 'sold')
    expect(steering).toContain('Rex\\u{1b}[31m\\u{a}\\u{202e}')
    expect(steering).not.toContain('There are more')
  })

  test('tells a person that get is deprecated, and until when, and has a line of JSON if asked for', async () => {
    const told = await shown('pets', 'get', '1', '--json')
    expect(told).toContain('getPet is deprecated and scheduled for removal on 2030-12-05')
    expect(told).toContain('{"id":1,')
  })
})

const NO_CONNECTION =
  /^petstore: There is no connection\. Trying again\.\npetstore: connection_failed: .* \(ECONNREFUSED\)\. Is it running\?\n$/
test.concurrent.each<[number, RegExp, string[]]>([
  [1, /route_not_found/, ['get', '1', '--base-url', 'ELSEWHERE']],
  [2, /--status/, ['list', '--status', 'gone']],
  [2, /limit must be an integer from 1 to 100/, ['list', '--limit', 'x']],
  [2, /./, ['get', '9223372036854775808']],
  [2, /--category-id/, ['add', 'Rex']],
  [2, /takes a name.*pets import -\n$/, ['add', '-', '--category-id', '1']],
  [2, /invalid_body/, ['add', ' ', '--category-id', '1']],
  [2, /v1/, ['list', '--base-url', 'http://127.0.0.1:1/']],
  [3, /^petstore: pet_not_found: .* \(request id [\w.-]+\)\n$/, ['get', '9223372036854775807']],
  [4, /invalid_api_key/, ['list', '--api-key', 'some-other-key-0123456789']],
  // Nothing was sent, so the error does not end with how to find out whether it was added.
  [5, NO_CONNECTION, ['add', 'No', '--category-id', '1', '--json', '--base-url', 'http://127.0.0.1:1/v1']],
])('petstore pets ends with %d and %p for %j', async (expected, message, args) => {
  const elsewhere = args.map(arg => (arg === 'ELSEWHERE' ? `${service().url}/else/v1` : arg))
  const ran = await pets(...elsewhere)
  expect(ran).toEqual({ code: expected, stdout: '', stderr: expect.stringMatching(message) })
  expect(ran.stderr).not.toContain('some-other-key')
})

test.concurrent('add whose responses are all lost says that it may have been added, and how to find out without adding it twice', async () => {
  using proxy = await TcpProxy.to(+(variables.PORT as string))
  proxy.loses = () => true
  const server = `http://127.0.0.1:${proxy.port}/v1`
  const given = `--category-id -7 --status sold --json --base-url ${server} --api-key API_KEY -- '-It'\\''s Rex'\\'''`
  const key = { ...variables, PETSTORE_API_KEY: API_KEY }
  const within = (line: string) => petstore([], key, { within: ['sh', '-c', line] })
  const { code, stdout, stderr } = await within(`"$0" "$@" pets add ${given}`.replace('API_KEY', API_KEY))
  const { idempotencyKey } = JSON.parse(stdout)
  expect([code, stdout]).toEqual([5, `{"mayBeAdded":true,"idempotencyKey":"${idempotencyKey}"}\n`])
  const [, told, command = ''] = stderr.split('\n')
  expect(told).toMatch(
    /^petstore: connection_failed: [^?]+\. The animal may have been added\. .*within 24 hours/,
  )
  const shown = given.replace('API_KEY', '$PETSTORE_API_KEY')
  expect(command).toEndWith(`petstore pets add --idempotency-key ${idempotencyKey} ${shown}`)
  proxy.loses = () => false
  const again = await within(command)
  expect([again.code, JSON.parse(again.stdout).name]).toEqual([0, "-It's Rex'"])
  expect((await pets('list', '--all', '--status', 'sold')).stdout.split("-It's Rex'").length).toBe(2)
})

test('add that is stopped hands over its key too', async () => {
  using proxy = await TcpProxy.to(+(variables.PORT as string))
  proxy.hang()
  const args = ['pets', 'add', 'Rex', '--category-id', '1', '--base-url', `http://127.0.0.1:${proxy.port}/v1`]
  const { child, stderr } = start(args, variables)
  await eventually('it waits for the response', () => proxy.connections > 0 || undefined)
  child.kill('SIGINT')
  expect(await child.exited).toBe(1)
  expect(stderr.text).toMatch(
    /^petstore: Stopped by SIGINT\. The animal may have been added\. .*--idempotency-key/s,
  )
})

test('petstore pets lets no message of a server steer the terminal', async () => {
  const statuses = [503, 400]
  const answer = (status = 500) => Response.json({ code: 'odd', message: STEERING_NAME, status }, { status })
  using server = Bun.serve({ port: 0, fetch: () => answer(statuses.shift()) })
  const { stderr } = await pets('list', '--base-url', `${server.url}v1`)
  const message = 'Rex\\u{1b}[31m\\u{a}\\u{202e}'
  expect(stderr).toBe(`petstore: ${message} Trying again.\npetstore: odd: ${message}\n`)
})

test('petstore pets import reads no more of a pipe than a file may have, even if it never ends', async () => {
  const endless = '(head -c 40000000 /dev/zero; while sleep 0.1 && echo; do :; done) | "$@"'
  const within = ['sh', '-c', endless, 'sh']
  const { code, stderr } = await petstore(['pets', 'import', '-', '--dry-run'], {}, { within })
  expect([code, stderr]).toEqual([2, expect.stringContaining('larger than 32 MiB')])
})

const linesOf = ({ stdout }: { stdout: string }): string[] => stdout.split('\n').slice(0, -1)

const shown = async (...args: string[]): Promise<string> => (await inTerminal(args, variables)).text

import { join } from 'node:path'
import { freePort, ROOT } from '../command.ts'
import { DESCRIPTION, type Tools } from './tools.ts'

/** One request of the contract suite to an operation, and what the service answered. */
export interface Recorded {
  readonly method: string
  readonly target: string
  readonly headers: Record<string, string>
  readonly body: string | undefined
  readonly answer: {
    readonly status: number
    readonly headers: Record<string, string>
    readonly text: string
  }
}

/** Starts Prism, and ends it after the work. */
async function withPrism<Result>(
  { path }: Tools,
  args: readonly string[],
  work: (address: string) => Promise<Result>,
): Promise<Result> {
  const port = String(freePort())
  const prism = Bun.spawn(['node', path('prism'), ...args, '--port', port], {
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  const address = `http://127.0.0.1:${port}`
  try {
    for (let n = 0; n < 600 && !(await fetch(address).catch(() => undefined)); n++) await Bun.sleep(100)
    return await work(address)
  } finally {
    prism.kill()
  }
}

/**
 * Runs the contract suite, recording what is sent and answered, and passes all of it through Prism as a proxy, which checks every
 * answer against the description. The suite does not use the proxy itself, because Prism rounds integers above 2^53.
 */
export async function proxyContractSuite(tools: Tools): Promise<string> {
  const file = join(tools.folder, 'contract-suite.ndjson')
  const suite = [
    process.execPath,
    'test',
    '--preload',
    './scripts/interop/record-fetch.ts',
    './tests/contract/',
  ]
  const env = { ...process.env, PETSTORE_TEST_ENGINE: 'sqlite', PETSTORE_RECORD: file }
  const child = Bun.spawn(suite, { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'pipe'] })
  const [report, code] = await Promise.all([child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`The contract suite ended with ${code}:\n${report.slice(-2000)}`)
  const lines = (await Bun.file(file).text()).trimEnd().split('\n')
  const recorded = lines.map(line => JSON.parse(line) as Recorded)
  const upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers }) => {
      const { answer } = recorded[Number(headers.get('x-recorded'))] as Recorded
      return new Response(answer.status === 304 ? null : answer.text, answer)
    },
  })
  try {
    const args = ['proxy', DESCRIPTION, String(upstream.url)]
    await withPrism(tools, args, async address => {
      for (const [n, { method, target, headers, body = null, answer }] of recorded.entries()) {
        const sent = { ...headers, 'X-Recorded': String(n) }
        const checked = await fetch(address + target, { method, headers: sent, body })
        const violations = JSON.parse(checked.headers.get('sl-violations') ?? '[]') as {
          location: string[]
        }[]
        const wrong = violations.filter(({ location }) => location[0] === 'response')
        if (wrong.length > 0 || checked.status !== answer.status)
          throw new Error(`${method} ${target} → ${checked.status}: ${JSON.stringify(wrong)} ${answer.text}`)
      }
    })
  } finally {
    await upstream.stop(true)
  }
  const statuses = [...new Set(recorded.map(({ answer }) => answer.status))].toSorted()
  return `no violation in ${recorded.length} answers of the contract suite (${statuses.join(', ')})`
}

const JSON_BODY = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
/** What a mock must answer, so that a client that is developed against it meets the real service unchanged. */
const MOCKED: readonly [target: string, expected: string, options: RequestInit][] = [
  ['/pets', '201', { method: 'POST', headers: JSON_BODY, body: '{"name":"Rex","categoryId":7}' }],
  ['/pets', '400 invalid_body', { method: 'POST', headers: JSON_BODY, body: '{}' }],
  [
    '/pets',
    '415 unsupported_media_type',
    { method: 'POST', headers: { ...JSON_BODY, 'Content-Type': 'text/plain' }, body: 'x' },
  ],
  ['/pets', '200', { headers: JSON_BODY }],
  ['/pets?limit=0', '400 invalid_query', { headers: JSON_BODY }],
  ['/pets/1', '200', { headers: JSON_BODY }],
  ['/pets', '401 missing_api_key', {}],
]

export const mock = (tools: Tools): Promise<string> =>
  withPrism(tools, ['mock', DESCRIPTION], async address => {
    for (const [target, expected, options] of MOCKED) {
      const answer = await fetch(address + target, options)
      const { code = '' } = (await answer.json()) as { code?: string }
      const found = `${answer.status} ${code}`.trim()
      if (found !== expected)
        throw new Error(`${options.method ?? 'GET'} ${target} → ${found}, not ${expected}`)
    }
    return MOCKED.map(([, expected]) => expected).join(', ')
  })

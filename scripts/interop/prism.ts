import { join } from 'node:path'
import { freePort, ROOT } from '../command.ts'
import { DESCRIPTION, type Tools } from './tools.ts'

/** What the service answered to one request of the contract suite. */
export interface Recorded {
  readonly method: string
  /** A path of the description, with an identifier. */
  readonly path: '/pets' | '/pets/1'
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

const JSON_REQUEST = { Authorization: 'Bearer any', 'Content-Type': 'application/json' }
const REX = '{"name":"Rex","categoryId":7}'
/** Prism's bound for an int64; the service's is 2^63. */
const PRISMS_OWN = '9007199254740991'

/**
 * Runs the contract suite, recording every answer of an operation, and passes all of them through Prism as a proxy, which checks
 * them against the description. The requests are harmless ones, because Prism fails at some of the suite's and rounds integers.
 */
export async function proxyContractSuite(tools: Tools): Promise<string> {
  const recorded = await recordContractSuite(join(tools.folder, 'contract-suite.ndjson'))
  const upstream = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ headers }) => {
      const { answer } = recorded[Number(headers.get('x-recorded'))] as Recorded
      return new Response(answer.status === 304 ? null : answer.text, answer)
    },
  })
  let beyond = 0
  try {
    const args = ['proxy', DESCRIPTION, String(upstream.url)]
    await withPrism(tools, args, async address => {
      for (const [n, { method, path, answer }] of recorded.entries()) {
        const headers = { ...JSON_REQUEST, 'X-Recorded': String(n) }
        const body = method === 'POST' ? REX : null
        const checked = await fetch(address + path, { method, headers, body })
        const found = JSON.parse(checked.headers.get('sl-violations') ?? '[]') as { message: string }[]
        const wrong = found.filter(({ message }) => !message.includes(PRISMS_OWN))
        if (wrong.length < found.length) beyond++
        if (wrong.length > 0 || checked.status !== answer.status)
          throw new Error(`${method} ${path} → ${checked.status}: ${JSON.stringify(wrong)} ${answer.text}`)
      }
    })
  } finally {
    await upstream.stop(true)
  }
  const statuses = [...new Set(recorded.map(({ answer }) => answer.status))].toSorted()
  return `no violation in ${recorded.length} answers of the contract suite (${statuses.join(', ')}), but Prism's own bound of 2^53 in ${beyond}`
}

async function recordContractSuite(file: string): Promise<Recorded[]> {
  const suite = ['test', '--preload', './scripts/interop/record-fetch.ts', './tests/contract/']
  const env = { ...process.env, PETSTORE_TEST_ENGINE: 'sqlite', PETSTORE_RECORD: file }
  const child = Bun.spawn([process.execPath, ...suite], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [report, code] = await Promise.all([child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`The contract suite ended with ${code}:\n${report.slice(-2000)}`)
  const lines = (await Bun.file(file).text()).trimEnd().split('\n')
  return lines.map(line => JSON.parse(line) as Recorded)
}

/** What a mock must answer, so that a client that is developed against it meets the real service unchanged. */
const MOCKED: readonly [target: string, expected: string, options: RequestInit][] = [
  ['/pets', '201', { method: 'POST', headers: JSON_REQUEST, body: REX }],
  ['/pets', '400 invalid_body', { method: 'POST', headers: JSON_REQUEST, body: '{}' }],
  [
    '/pets',
    '415 unsupported_media_type',
    { method: 'POST', headers: { ...JSON_REQUEST, 'Content-Type': 'text/plain' }, body: 'x' },
  ],
  ['/pets', '200', { headers: JSON_REQUEST }],
  ['/pets?limit=0', '400 invalid_query', { headers: JSON_REQUEST }],
  ['/pets/1', '200', { headers: JSON_REQUEST }],
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

import { join } from 'node:path'
import { type Answer, API_KEY } from '../../tests/support/http.ts'
import { freePort, listens } from '../../tests/support/process.ts'
import { Beside } from '../../tests/support/programs.ts'
import { capture } from '../command.ts'
import { DESCRIPTION, type Project } from './tools.ts'

const JSON_REQUEST = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
const REX = '{"name":"Rex","categoryId":7}'

/** A client that is developed against the mock meets the real service unchanged. */
const EXPECTED: readonly [target: string, answer: string, options: RequestInit][] = [
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

/** Prism's bound for an int64; the service's is 2^63. */
const PRISMS_OWN = '9007199254740991'

/** Starts Prism, and ends it after the work. */
async function withPrism(
  project: Project,
  args: readonly string[],
  work: (address: string) => Promise<string>,
): Promise<string> {
  const port = freePort()
  const prism = new Beside(['node', project.path('prism'), ...args, '--port', String(port)])
  try {
    await prism.until('Prism listens', () => listens(port))
    return await work(`http://127.0.0.1:${port}`)
  } finally {
    await prism.stop()
  }
}

export const mock = (project: Project): Promise<string> =>
  withPrism(project, ['mock', DESCRIPTION], async address => {
    for (const [target, expected, options] of EXPECTED) {
      const answer = await fetch(address + target, options)
      const { code = '' } = (await answer.json()) as { code?: string }
      const found = `${answer.status} ${code}`.trim()
      if (found !== expected)
        throw new Error(`${options.method ?? 'GET'} ${target} → ${found}, not ${expected}`)
    }
    return EXPECTED.map(([, answer]) => answer).join(', ')
  })

interface Recorded extends Pick<Answer, 'status' | 'text'> {
  readonly headers: [string, string][]
  readonly method: string
  readonly path: string
}

/** Runs the tests of the contract, and returns the service's answers to them. */
async function record(file: string): Promise<Recorded[]> {
  const variables = ['PETSTORE_TEST_ENGINE=sqlite', `PETSTORE_RECORD=${file}`]
  const tests = ['test', '--preload', './scripts/interop/record-answers.ts', './tests/contract/']
  const { code } = await capture('env', ...variables, process.execPath, ...tests)
  if (code !== 0) throw new Error(`The tests of the contract ended with ${code}.`)
  const lines = (await Bun.file(file).text()).trimEnd().split('\n')
  return lines.map(line => JSON.parse(line) as Recorded)
}

/** Has Prism check all these answers. The requests are harmless ones, because Prism fails at some of the tests' own. */
export async function proxy(project: Project): Promise<string> {
  const recorded = await record(join(project.folder, 'answers.ndjson'))
  let next = new Response()
  using upstream = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => next })
  return await withPrism(project, ['proxy', DESCRIPTION, String(upstream.url)], async address => {
    for (const { method, path, text, ...head } of recorded) {
      next = new Response(head.status === 304 ? null : text, head)
      const body = method === 'POST' ? REX : null
      const checked = await fetch(address + path, { method, headers: JSON_REQUEST, body })
      const violations = JSON.parse(checked.headers.get('sl-violations') ?? '[]') as { message: string }[]
      const wrong = violations.filter(({ message }) => !message.includes(PRISMS_OWN))
      if (wrong.length > 0 || checked.status !== head.status)
        throw new Error(`${method} ${path} → ${checked.status}: ${JSON.stringify(wrong)} ${text}`)
    }
    const statuses = [...new Set(recorded.map(({ status }) => status))].toSorted()
    return `no violation in ${recorded.length} answers to the tests of the contract (${statuses.join(', ')})`
  })
}

import { API_KEY } from '../../tests/support/http.ts'
import { freePort, listens } from '../../tests/support/process.ts'
import { Beside } from '../../tests/support/programs.ts'
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

/** What Prism finds wrong with a request or an answer. */
interface Violation {
  readonly location: readonly string[]
  readonly message: string
}

/** Prism's bound for an int64; the service's is 2^63. */
const PRISMS_OWN = '9007199254740991'

async function ask(project: Project, ...args: string[]): Promise<string> {
  const port = freePort()
  const prism = new Beside(['node', project.path('prism'), ...args, '--port', String(port)])
  try {
    await prism.until('Prism listens', () => listens(port))
    for (const [target, expected, options] of EXPECTED) {
      const answer = await fetch(`http://127.0.0.1:${port}${target}`, options)
      const { code = '' } = (await answer.json()) as { code?: string }
      const violations = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as Violation[]
      const wrong = violations.filter(
        ({ location, message }) => location[0] === 'response' && !message.includes(PRISMS_OWN),
      )
      const found = [answer.status, code, ...wrong.map(violation => JSON.stringify(violation))]
        .join(' ')
        .trim()
      if (found !== expected)
        throw new Error(`${options.method ?? 'GET'} ${target} → ${found}, not ${expected}`)
    }
  } finally {
    await prism.stop()
  }
  return EXPECTED.map(([, answer]) => answer).join(', ')
}

export const mock = (project: Project): Promise<string> => ask(project, 'mock', DESCRIPTION)

/** Checks the service's own answers. The tests of the contract hold all of theirs against the description. */
export const proxy = (url: string, project: Project): Promise<string> =>
  ask(project, 'proxy', DESCRIPTION, `${url}/v1`)

import { API_KEY } from '../../tests/support/http.ts'
import { freePort, listens } from '../../tests/support/process.ts'
import { Beside } from '../../tests/support/programs.ts'
import { DESCRIPTION, type Project } from './tools.ts'

const JSON_REQUEST = { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' }
const REX = '{"name":"Rex","categoryId":7}'

/** A client that is developed against the mock meets the real service unchanged. */
const EXPECTED: readonly [target: string, answer: string, options: RequestInit][] = [
  ['/pets', '201', { method: 'POST', headers: JSON_REQUEST, body: REX }],
  // Prism prefers a listed 422 for any invalid body; the service returns 400.
  ['/pets', '422 idempotency_key_reused', { method: 'POST', headers: JSON_REQUEST, body: '{}' }],
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

/** What Prism says about a request or about the response to it. */
interface Violation {
  readonly location: readonly string[]
  readonly message: string
}

/** Sends the requests to Prism as a mock, or to the service through Prism, which checks its responses. */
export async function tryPrism(project: Project, ...mode: readonly string[]): Promise<string> {
  const port = freePort()
  const [how = '', ...upstream] = mode
  const command = [project.path('prism'), how, DESCRIPTION, ...upstream, '--port', String(port)]
  const prism = new Beside(['node', ...command])
  try {
    await prism.until('Prism listens', () => listens(port))
    for (const [target, expected, options] of EXPECTED) {
      const answer = await fetch(`http://127.0.0.1:${port}${target}`, options)
      const { code = '' } = (await answer.json()) as { code?: string }
      const violations = JSON.parse(answer.headers.get('sl-violations') ?? '[]') as Violation[]
      const wrong = violations.filter(
        ({ location: [part], message }) => part === 'response' && !message.includes(PRISMS_OWN),
      )
      const found = `${answer.status} ${code}`.trim()
      if (found !== expected || wrong.length > 0)
        throw new Error(`${target} → ${found}, not ${expected}; ${JSON.stringify(wrong)}`)
    }
  } finally {
    await prism.stop()
  }
  return EXPECTED.map(([, answer]) => answer).join(', ')
}

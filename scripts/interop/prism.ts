import { join } from 'node:path'
import { freePort, listens } from '../../tests/support/http/free-port.ts'
import { eventually } from '../../tests/support/service/process.ts'
import { HERE, QUIET } from './tool.ts'

const REQUESTS = 500

interface Violation {
  readonly location: readonly string[]
  readonly message: string
}
interface Sent {
  readonly path: string
  readonly body?: string
  readonly key?: string
}

/** Valid and invalid requests for every operation. Every body is JSON: Prism never answers others. */
function requests(key: string): readonly ((n: number) => Sent)[] {
  return [
    n => ({ path: '/pets', body: `{"name":"Rex ${n}","categoryId":${n}}`, key }),
    n => ({ path: '/pets', body: `{"name":"🐈","categoryId":-${n},"status":"sold"}`, key }),
    n => ({ path: `/pets?limit=${(n % 100) + 1}&status=sold`, key }),
    () => ({ path: '/pets', key }),
    () => ({ path: '/pets/1', key }),
    n => ({ path: `/pets/${n + 1_000_000}`, key }),
    () => ({ path: '/pets/9223372036854775808', key }),
    () => ({ path: '/pets?limit=0&status=x&cursor=y', key }),
    () => ({ path: '/pets', body: '{"name":"","categoryId":"7"}', key }),
    () => ({ path: '/pets', body: `{"name":"${'x'.repeat(70_000)}","categoryId":1}`, key }),
    () => ({ path: '/pets' }),
    () => ({ path: '/pets', body: '{}', key: 'wrong' }),
  ]
}

/** Sends requests through Prism, which checks each answer against the description. Returns how often each status came. */
export async function throughPrism(description: string, baseUrl: string, key: string): Promise<string> {
  const port = await freePort()
  const command = ['node', join(HERE, 'node_modules/.bin/prism'), 'proxy', description, baseUrl]
  const prism = Bun.spawn([...command, '--port', String(port)], {
    env: { ...process.env, ...QUIET },
    stdio: ['ignore', 'ignore', 'ignore'],
  })
  try {
    await eventually('Prism listens', async () => (await listens(port)) || undefined)
    const kinds = requests(key)
    const statuses: number[] = []
    for (let n = 0; n < REQUESTS; n++) {
      const sent = kinds[n % kinds.length]?.(n) ?? { path: '/pets' }
      const answer = await send(`http://127.0.0.1:${port}`, sent)
      const wrong = violationsOf(answer).filter(({ location }) => location[0] === 'response')
      if (wrong.length > 0) throw new Error(`${sent.path} → ${answer.status}: ${JSON.stringify(wrong)}`)
      if (answer.status >= 500) throw new Error(`${sent.path} → ${answer.status}`)
      statuses.push(answer.status)
    }
    const counted = [...Map.groupBy(statuses, status => status)].map(
      ([status, all]) => `${status} ${all.length}×`,
    )
    return `0 violations in ${statuses.length} answers (${counted.sort().join(', ')})`
  } finally {
    prism.kill()
    await prism.exited
  }
}

async function send(url: string, { path, body, key }: Sent): Promise<Response> {
  const headers = { 'Content-Type': 'application/json', ...(key && { Authorization: `Bearer ${key}` }) }
  const signal = AbortSignal.timeout(20_000)
  const posted = body === undefined ? {} : { method: 'POST', body }
  const answer = await fetch(url + path, { headers, signal, ...posted })
  await answer.arrayBuffer()
  return answer
}

const violationsOf = ({ headers }: Response): readonly Violation[] =>
  JSON.parse(headers.get('sl-violations') ?? '[]') as Violation[]

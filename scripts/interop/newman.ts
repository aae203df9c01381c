import { join } from 'node:path'
import { API_KEY } from '../../tests/support/http.ts'
import { DESCRIPTION, type Project } from './tools.ts'

interface Item {
  readonly item?: readonly Item[]
  readonly request?: { readonly url: { query?: { readonly key: string }[] } }
}

interface Report {
  readonly run: {
    readonly stats: Record<'requests' | 'assertions', { readonly total: number; readonly failed: number }>
  }
}

const SUCCEEDS = "pm.test('succeeds', () => pm.expect(pm.response.code).to.be.within(200, 299))"

/**
 * Sends every request of the converted collection with every example. The converter makes up a value for each parameter that has no
 * example: that is the cursor alone, which is taken out, as a user would.
 */
export async function collection(url: string, { folder, run }: Project): Promise<string> {
  const file = join(folder, 'collection.json')
  const report = join(folder, 'newman.json')
  const options = ['-O', 'parametersResolution=Example']
  await run('openapi2postmanv2', '-s', DESCRIPTION, '-o', file, ...options)
  const converted = (await Bun.file(file).json()) as Item
  withoutCursor(converted)
  const event = [{ listen: 'test', script: { exec: [SUCCEEDS] } }]
  await Bun.write(file, JSON.stringify({ ...converted, event }))
  const variables = [`baseUrl=${url}/v1`, `bearerToken=${API_KEY}`].flatMap(pair => ['--env-var', pair])
  const reporter = ['--reporters', 'json', '--reporter-json-export', report]
  await run('newman', 'run', file, ...variables, ...reporter)
  const { requests, assertions } = ((await Bun.file(report).json()) as Report).run.stats
  if (requests.total < 3 || assertions.failed > 0) throw new Error(JSON.stringify({ requests, assertions }))
  return `${requests.total} requests with every example, ${assertions.total - assertions.failed} of ${assertions.total} succeed`
}

function withoutCursor({ item = [], request }: Item): void {
  if (request?.url.query) request.url.query = request.url.query.filter(({ key }) => key !== 'cursor')
  item.forEach(withoutCursor)
}

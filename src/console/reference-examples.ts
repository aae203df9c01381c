export interface Operation {
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: object } } }
}

export interface Description {
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** The description with addresses that are whole and an example for each operation, ready to be pasted into a shell. */
export function withExamples(description: Description, pageUrl: string): Description {
  const base = new URL('v1', pageUrl).href
  const paths = mapValues(description.paths, (operations, path) =>
    mapValues(operations, (operation, method) => ({
      ...operation,
      'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curl(method, base + path, operation) }],
    })),
  )
  const servers = description.servers.map(server => ({ ...server, url: new URL(server.url, pageUrl).href }))
  return { ...description, servers, paths }
}

function curl(method: string, url: string, { requestBody }: Operation): string {
  const example = requestBody?.content['application/json'].example
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}${url.replace(/\{\w+\}/, '1')}`,
    '-H "Authorization: Bearer $PETSTORE_API_KEY"',
    ...(example ? ['-H "Content-Type: application/json"', `-d '${JSON.stringify(example)}'`] : []),
  ]
  return parts.join(' \\\n  ')
}

const mapValues = <Value, Result>(
  object: Readonly<Record<string, Value>>,
  change: (value: Value, name: string) => Result,
): Record<string, Result> =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]))

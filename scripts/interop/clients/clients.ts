import { join } from 'node:path'
import { program } from '../../../tests/support/programs/program.ts'
import { freshFolder } from '../../../tests/support/service/folder.ts'
import { capture } from '../tool.ts'

export interface Client {
  readonly name: string
  command(folder: string): string[]
  /** The expected result of each of its requests. */
  readonly expected: Readonly<Record<string, string>>
  /** The same, when there is no proxy. */
  readonly directly?: Readonly<Record<string, string>>
}

const at = (file: string): string => join(import.meta.dir, file)
/** Debian's Python, which has Debian's modules. */
const PYTHON = '/usr/bin/python3'

/**
 * Each client adds an animal with an int64, adds it again with the same Idempotency-Key, lists it and gets it, and
 * lists with `limit=0`. Then, twelve times each: 2.6 MB in chunks without a key, 2.6 MB of declared length with one,
 * and a list, which none of those may stall.
 */
const EXPECTED = {
  create: '201',
  repeat: '201 true',
  list: '200',
  get: '200',
  refused: '400',
  chunked: '401 12×',
  declared: '413 12×',
  after: '200 12×',
}
const EXPECTS_CONTINUE = { ...EXPECTED, expect: '201', 'expect-401': '401' }

export const CLIENTS: readonly Client[] = [
  ...['requests', 'httpx', 'urllib'].map(library => ({
    name: `Python, ${library}`,
    command: () => [PYTHON, at('python.py'), library],
    expected: EXPECTED,
  })),
  ...['fetch', 'undici'].map(library => ({
    name: `Node, ${library}`,
    command: () => ['node', at('node.mjs'), library],
    expected: EXPECTED,
  })),
  { name: 'Go, net/http', command: () => [program('go'), 'run', at('main.go')], expected: EXPECTS_CONTINUE },
  {
    name: 'curl',
    command: folder => ['sh', at('curl.sh'), program('curl'), folder],
    expected: EXPECTS_CONTINUE,
  },
  {
    name: 'Java, HttpClient',
    command: () => [program('java'), at('Client.java')],
    expected: EXPECTS_CONTINUE,
    // It sends Expect: 100-continue, and releases without JDK-8286171 wait forever if the answer is not a 100.
    directly: EXPECTED,
  },
]

/** Runs a client and returns its version. Throws if a result differs from the expected one. */
export async function tryClient(
  client: Client,
  baseUrl: string,
  key: string,
  isDirect: boolean,
): Promise<string> {
  const expected = (isDirect && client.directly) || client.expected
  const { text, code } = await capture(client.command(await freshFolder()), {
    PETSTORE_BASE_URL: baseUrl,
    PETSTORE_API_KEY: key,
    PETSTORE_EXPECT: 'expect' in expected ? '1' : '',
  })
  const lines = text.split('\n').map(line => line.trim())
  const version = lines.find(line => line.startsWith('version '))?.slice('version '.length)
  const got: Record<string, string> = {}
  for (const [line, all] of Map.groupBy(
    lines.filter(line => line !== '' && !line.startsWith('version ')),
    line => line,
  )) {
    const [, what = '', outcome = ''] = /^(\S+) (.*)$/.exec(line) ?? []
    got[what] = [got[what], all.length > 1 ? `${outcome} ${all.length}×` : outcome].filter(Boolean).join(', ')
  }
  if (code !== 0 || !Bun.deepEquals(got, expected)) throw new Error(`${version}: ${JSON.stringify(got)}`)
  return `${version}, ${Object.entries(got)
    .map(([what, outcome]) => `${what} ${outcome}`)
    .join(', ')}`
}

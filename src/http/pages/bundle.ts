import { basename, join } from 'node:path'

const SOURCES = join(import.meta.dir, '../../console')

interface Bundle {
  readonly script: string
  readonly style: string
  /** What the script imports, by name: at once, or when it is first used. */
  readonly parts: Readonly<Record<string, string>>
}

/** One page's code and style for browsers. A compiled executable takes this file's place with the result. */
export async function bundlePage(entry: 'console.tsx' | 'reference/reference.ts'): Promise<Bundle> {
  const [page = ''] = basename(entry).split('.', 1)
  const { outputs } = await Bun.build({
    entrypoints: [join(SOURCES, entry)],
    target: 'browser',
    format: 'esm',
    minify: true,
    splitting: true,
    naming: { chunk: `${page}-[hash].[ext]` },
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const textOf = async (kind: string, type: string): Promise<string> =>
    (await outputs.find(output => output.kind === kind && output.type.startsWith(type))?.text()) ?? ''
  const parts = outputs.filter(({ kind, type }) => kind === 'chunk' && type.startsWith('text/javascript'))
  const named = parts.map(async part => [basename(part.path), await part.text()] as const)
  return {
    script: await textOf('entry-point', 'text/javascript'),
    style: await textOf('asset', 'text/css'),
    parts: Object.fromEntries(await Promise.all(named)),
  }
}

/** A file of a page that is served as it is. */
export const readPageFile = (path: 'icon.svg'): Promise<string> => Bun.file(join(SOURCES, path)).text()

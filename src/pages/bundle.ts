import { basename, join } from 'node:path'

/** Bundles built from source files. The compiled executable has none, so it contains the results in place of this file. */

const SOURCES = join(import.meta.dir, '../console')
const CLIENT = join(import.meta.dir, '../../client/src')

const PAGES = { console: 'console.tsx', reference: 'reference/reference.ts' } as const
export type PageName = keyof typeof PAGES

interface Bundle {
  readonly script: string
  readonly style: string
  readonly icon: string
  /** Modules that the script imports, by name: immediately, or when they are first used. */
  readonly parts: Readonly<Record<string, string>>
}

/** One page's code, style and icon for browsers. */
export async function bundlePage(page: PageName): Promise<Bundle> {
  const { outputs } = await Bun.build({
    entrypoints: [join(SOURCES, PAGES[page])],
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
    icon: await Bun.file(join(SOURCES, 'icon.svg')).text(),
    parts: Object.fromEntries(await Promise.all(named)),
  }
}

/**
 * The client's code as one module, and its sources, which serve as its types: for a `.js` import, TypeScript finds the `.ts` file.
 */
export async function bundleClient(): Promise<Readonly<Record<string, string>>> {
  const { outputs } = await Bun.build({
    entrypoints: [join(CLIENT, 'index.ts')],
    target: 'node',
    format: 'esm',
  })
  const files: Record<string, string> = { 'index.js': (await outputs[0]?.text()) ?? '' }
  const names = [...new Bun.Glob('*.ts').scanSync(CLIENT)].toSorted()
  for (const name of names.filter(file => !file.endsWith('.test.ts'))) {
    const source = await Bun.file(join(CLIENT, name)).text()
    files[`src/${name}`] = source.replaceAll(/(from '\.\/[\w.-]+)\.ts'/g, "$1.js'")
  }
  return files
}

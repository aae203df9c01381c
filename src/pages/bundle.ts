import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { ApiError } from '../contract/errors.ts'

/** Bundles built from source files. The compiled executable has none, so it contains the results in place of this file. */

const SOURCES = join(import.meta.dir, '../console')
const CLIENT = join(import.meta.dir, '../../client')
const TSC = join(import.meta.dir, '../../node_modules/typescript-7/bin/tsc')
const WITHOUT_COMPILER =
  'This service cannot build the client without its development dependencies. Run: npm ci'
/** Both compilations take half a second together. */
const COMPILE_TIMEOUT_MS = 60_000

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

/** The files of the client's npm package. `npm pack` and `/client.tgz` both have them from here. */
export async function bundleClient(): Promise<Readonly<Record<string, string>>> {
  if (!existsSync(TSC)) throw new ApiError('route_not_found', WITHOUT_COMPILER)
  const folder = await mkdtemp(join(tmpdir(), 'petstore-client-'))
  try {
    await Promise.all([
      compile('tsconfig.json', `${folder}/dist/esm`),
      compile('tsconfig.cjs.json', `${folder}/dist/cjs`),
    ])
    await Bun.write(`${folder}/dist/cjs/package.json`, '{"type":"commonjs"}\n')
    return {
      ...(await textsIn(CLIENT, 'LICENSE', 'README.md', 'package.json', 'src/*.ts')),
      ...(await textsIn(folder, 'dist/**')),
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

async function compile(project: string, outDir: string): Promise<void> {
  const command = [process.execPath, TSC, '--project', join(CLIENT, project), '--outDir', outDir]
  const child = Bun.spawn(command, { stdio: ['ignore', 'pipe', 'ignore'], timeout: COMPILE_TIMEOUT_MS })
  const [complaints, code] = await Promise.all([child.stdout.text(), child.exited])
  if (code !== 0) throw new Error(`The client was not compiled. ${complaints}`)
}

async function textsIn(folder: string, ...patterns: string[]): Promise<Record<string, string>> {
  const names = patterns.flatMap(pattern => [...new Bun.Glob(pattern).scanSync(folder)].toSorted())
  const texts = names.map(async name => {
    const text = await Bun.file(join(folder, name)).text()
    // The compiler rewrites the imports of code only, and TypeScript 4 does not read declarations that import `.ts`.
    return [name, name.endsWith('.d.ts') ? text.replaceAll(/('\.\/[\w.-]+)\.ts'/g, "$1.js'") : text] as const
  })
  return Object.fromEntries(await Promise.all(texts))
}

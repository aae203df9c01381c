import { join } from 'node:path'

const SOURCES = join(import.meta.dir, '../../console')

export interface Bundle {
  readonly script: string
  readonly style: string
}

/** One page's code and style, each as one file for browsers. A compiled executable takes this file's place with the result. */
export async function bundlePage(entry: 'console.tsx' | 'reference/reference.ts'): Promise<Bundle> {
  const { outputs } = await Bun.build({
    entrypoints: [join(SOURCES, entry)],
    target: 'browser',
    format: 'esm',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const textOf = async (type: string): Promise<string> =>
    (await outputs.find(output => output.type.startsWith(type))?.text()) ?? ''
  return { script: await textOf('text/javascript'), style: await textOf('text/css') }
}

/** A file of a page that is served as it is. */
export const readPageFile = (path: 'icon.svg'): Promise<string> => Bun.file(join(SOURCES, path)).text()

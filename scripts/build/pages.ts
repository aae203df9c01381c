import type { BunPlugin } from 'bun'
import { bundlePage, readPageFile } from '../../src/http/pages/bundle.ts'

/**
 * The executable has no sources to bundle a page from, so the bundled page is included instead. It is made before the
 * build starts: a build that waits for another never ends.
 */
export async function pagesInside(): Promise<BunPlugin> {
  const contents = await bundledModule()
  return {
    name: 'pages inside',
    setup: build =>
      void build.onLoad({ filter: /[\\/]src[\\/]http[\\/]pages[\\/]bundle\.ts$/ }, () => ({
        loader: 'ts',
        contents,
      })),
  }
}

const PAGES = ['console.tsx', 'reference/reference.ts'] as const
const FILES = ['icon.svg'] as const

async function bundledModule(): Promise<string> {
  const pages = await gather(PAGES, bundlePage)
  const files = await gather(FILES, readPageFile)
  return `const PAGES = ${JSON.stringify(pages)}
const FILES = ${JSON.stringify(files)}
export const bundlePage = async (entry: keyof typeof PAGES) => PAGES[entry]
export const readPageFile = async (path: keyof typeof FILES) => FILES[path]
`
}

async function gather<Name extends string, Content>(
  names: readonly Name[],
  read: (name: Name) => Promise<Content>,
): Promise<Record<string, Content>> {
  const found: Record<string, Content> = {}
  for (const name of names) found[name] = await read(name)
  return found
}

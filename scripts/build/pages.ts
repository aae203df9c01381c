import type { BunPlugin } from 'bun'
import { bundlePage } from '../../src/pages/bundle.ts'

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

async function bundledModule(): Promise<string> {
  const pages = { console: await bundlePage('console'), reference: await bundlePage('reference') }
  return `const PAGES = ${JSON.stringify(pages)}
export const bundlePage = async (page: keyof typeof PAGES) => PAGES[page]
`
}

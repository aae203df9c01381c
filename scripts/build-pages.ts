import { join } from 'node:path'
import type { BunPlugin } from 'bun'
import { bundlePage, readIcon } from '../src/http/pages-bundle.ts'
import { ROOT } from './command.ts'

/**
 * In the executable there are no sources to bundle a page from, so what that would give is put there instead. Made before
 * the build begins: one build that waits for another never ends.
 */
export async function pagesInside(): Promise<BunPlugin> {
  const contents = await bundledModule()
  return {
    name: 'pages inside',
    setup: build =>
      void build.onLoad({ filter: /[\\/]src[\\/]http[\\/]pages-bundle\.ts$/ }, () => ({
        loader: 'ts',
        contents,
      })),
  }
}

async function bundledModule(): Promise<string> {
  const pages: [string, unknown][] = []
  for (const entry of await pageEntries()) pages.push([entry, await bundlePage(entry)])
  return `const PAGES = ${JSON.stringify(Object.fromEntries(pages))}
export const bundlePage = async (entry: keyof typeof PAGES) => PAGES[entry]
export const readIcon = async () => ${JSON.stringify(await readIcon())}
`
}

/** Every page that the service names. */
async function pageEntries(): Promise<string[]> {
  const names = new Set<string>()
  for (const file of new Bun.Glob('src/http/pages-*.ts').scanSync(ROOT)) {
    const source = await Bun.file(join(ROOT, file)).text()
    for (const [, entry = ''] of source.matchAll(/bundlePage\('([^']+)'\)/g)) names.add(entry)
  }
  return [...names]
}

import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'
import { type BuiltAsset, type BuiltPages, CLIENT_FILE, PAGES_FILE } from '../../src/pages/built.ts'
import { consoleDocument } from '../../web/document.ts'
import { referenceDocument } from '../../web/reference/render.ts'
import { ROOT } from '../command.ts'

const SOURCES = join(ROOT, 'web')
const TYPES = {
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
} as const

/** Bundles the console, renders the reference, and writes both into the file that the service serves them from. */
export async function buildPages(): Promise<void> {
  const [forConsole, forReference, offersClient] = await Promise.all([
    bundle('console', 'console/console.tsx', 'styles/index.css'),
    bundle('reference', 'reference/browser/reference.ts', 'reference/browser/reference.css'),
    Bun.file(CLIENT_FILE).exists(),
  ])
  const pages: BuiltPages = {
    documents: {
      console: consoleDocument(forConsole),
      reference: referenceDocument(forReference, offersClient),
    },
    assets: [forConsole, forReference].flatMap(bundle => Object.values(bundle)),
  }
  await mkdir(dirname(PAGES_FILE), { recursive: true })
  // A service that starts reads the old file or the new one, never a part.
  await Bun.write(`${PAGES_FILE}.new`, JSON.stringify(pages))
  await rename(`${PAGES_FILE}.new`, PAGES_FILE)
}

async function bundle(page: string, ...entries: string[]) {
  const { outputs } = await Bun.build({
    entrypoints: entries.map(file => join(SOURCES, file)),
    target: 'browser',
    format: 'esm',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const textOf = async (type: string): Promise<string> =>
    (await outputs.find(output => output.type.startsWith(type))?.text()) ?? ''
  return {
    script: asset(page, 'js', await textOf('text/javascript')),
    style: asset(page, 'css', await textOf('text/css')),
    icon: asset(page, 'svg', await Bun.file(join(SOURCES, 'icon.svg')).text()),
  }
}

const asset = (page: string, extension: keyof typeof TYPES, text: string): BuiltAsset => ({
  name: `${page}-${Bun.hash(text).toString(36)}.${extension}`,
  type: TYPES[extension],
  gzip: gzipSync(text, { level: constants.Z_BEST_COMPRESSION }).toString('base64'),
})

import { mkdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Bundle, PAGES_FILE } from '../../src/pages/built.ts'
import { ROOT } from '../command.ts'

const SOURCES = join(ROOT, 'web')

/** Bundles the console and the reference into the file that the service serves them from. */
export async function buildPages(): Promise<void> {
  const [console, reference] = await Promise.all([
    bundle('console/console.tsx'),
    bundle('reference/browser/reference.ts'),
  ])
  await mkdir(dirname(PAGES_FILE), { recursive: true })
  // A service that runs reads the old file or the new one, never a part.
  await Bun.write(`${PAGES_FILE}.new`, JSON.stringify({ console, reference }))
  await rename(`${PAGES_FILE}.new`, PAGES_FILE)
}

async function bundle(entry: string): Promise<Bundle> {
  const { outputs } = await Bun.build({
    entrypoints: [join(SOURCES, entry)],
    target: 'browser',
    format: 'esm',
    minify: true,
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  const textOf = async (kind: string, type: string): Promise<string> =>
    (await outputs.find(output => output.kind === kind && output.type.startsWith(type))?.text()) ?? ''
  return {
    script: await textOf('entry-point', 'text/javascript'),
    style: await textOf('asset', 'text/css'),
    icon: await Bun.file(join(SOURCES, 'icon.svg')).text(),
  }
}

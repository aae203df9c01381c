import { existsSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { CLIENT_FILE } from '../../src/pages/built.ts'
import { must, ROOT, say } from '../command.ts'

const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc')
const CLIENT = join(ROOT, 'client')

/** Packs the client as npm publishes it, into the file that the service serves. Production installs have no compiler, so no client. */
export async function packClient(): Promise<void> {
  await rm(CLIENT_FILE, { force: true })
  if (!existsSync(TSC)) return say('Without development dependencies, the client is not built.')
  await compileClient()
  const folder = dirname(CLIENT_FILE)
  await mkdir(folder, { recursive: true })
  const packed = await must('npm', 'pack', '--json', '--ignore-scripts', '--pack-destination', folder, CLIENT)
  const [{ filename }] = JSON.parse(packed) as [{ readonly filename: string }]
  await rename(join(folder, filename), CLIENT_FILE)
}

async function compileClient(): Promise<void> {
  const dist = join(CLIENT, 'dist')
  await rm(dist, { recursive: true, force: true })
  await Promise.all(
    ['tsconfig.json', 'tsconfig.cjs.json'].map(project =>
      must(process.execPath, TSC, '--project', join(CLIENT, project)),
    ),
  )
  await Bun.write(join(dist, 'cjs/package.json'), '{"type":"commonjs"}\n')
  // The compiler rewrites the imports of code only, and TypeScript 4 does not read declarations that import `.ts`.
  for await (const file of new Bun.Glob('**/*.d.ts').scan({ cwd: dist, absolute: true }))
    await Bun.write(file, (await Bun.file(file).text()).replaceAll(/('\.\/[\w.-]+)\.ts'/g, "$1.js'"))
}

/** Before `npm pack` and `npm publish` in the client's folder. */
if (import.meta.main) await compileClient()

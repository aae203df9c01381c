import { chmod, copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { BunPlugin } from 'bun'
import { readBuilt } from '../../src/pages/built.ts'
import { commit } from '../../src/release.ts'
import { argumentsOf, ROOT, refuse, say } from '../command.ts'
import { prepare } from './prepare.ts'

/** Compiles the program, its threads, schemas, the prepared pages and client, and the runtime into one executable file. */
export async function build(outfile: string, target?: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-build-'))
  const compiled = join(folder, 'petstore')
  // A thread is loaded by name at run time, so the compiler must be told about it.
  const threads = ['src/store/sqlite/writer-worker.ts', 'src/service/listener-worker.ts']
  await Bun.build({
    entrypoints: ['src/main.ts', ...threads].map(file => join(ROOT, file)),
    root: join(ROOT, 'src'),
    target: 'bun',
    minify: true,
    define: { COMMIT: JSON.stringify(process.env.COMMIT || commit()) },
    sourcemap: 'linked',
    plugins: [builtInside()],
    compile: {
      outfile: compiled,
      // A .env or bunfig.toml in the working directory must not change what the program does.
      autoloadDotenv: false,
      autoloadBunfig: false,
      ...(target && { target: target as Bun.Build.CompileTarget }),
    },
  })
  await mkdir(dirname(outfile), { recursive: true })
  // Keep only the program: the source maps that the compiler puts beside it are also inside it.
  // A program that runs cannot be written to, only replaced.
  const next = `${outfile}.new`
  await copyFile(compiled, next)
  await chmod(next, 0o755)
  await rename(next, outfile)
  await rm(folder, { recursive: true })
}

/** The executable has no files beside it, so it contains the pages and the client. */
function builtInside(): BunPlugin {
  const { pages, client } = readBuilt(() => {})
  if (!pages || !client) throw new Error('The pages or the client are not built. Run npm ci first.')
  const contents = `const PAGES = ${JSON.stringify(pages)}
const CLIENT = '${Buffer.from(client).toString('base64')}'
export const readBuilt = () => ({ pages: PAGES, client: Buffer.from(CLIENT, 'base64') })
`
  const filter = /[\\/]src[\\/]pages[\\/]built\.ts$/
  return {
    name: 'built inside',
    setup: build => void build.onLoad({ filter }, () => ({ loader: 'ts', contents })),
  }
}

/** Named after the target, so that a program for another machine does not replace the one for this machine. */
const nameFor = (target?: string): string =>
  target === undefined ? 'petstore' : target.replace(/^bun-/, 'petstore-')

const USAGE = `npm run build -- [target…]

dist/petstore for this machine, or dist/petstore-linux-x64 for the target bun-linux-x64.`

if (import.meta.main) {
  const { positionals: targets } = argumentsOf(USAGE, {}, true)
  const unknown = targets.find(target => !/^bun-(linux|darwin|windows)-(x64|arm64)/.test(target))
  if (unknown !== undefined) refuse(`There is no target ${unknown}.`, USAGE)
  await prepare()
  for (const target of targets.length > 0 ? targets : [undefined]) {
    const file = `dist/${nameFor(target)}`
    await build(join(ROOT, file), target)
    say(`${file}: ${(Bun.file(join(ROOT, file)).size / 1024 / 1024).toFixed(0)} MiB`)
  }
}

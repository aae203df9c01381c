import { chmod, copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { ROOT, run, say } from './command.ts'

/** Neither a .env nor a bunfig.toml that happens to lie in the working directory changes what the program does. */
const PREDICTABLE = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig']

/** Puts the program, its threads, its migrations and the runtime into one executable file. */
export async function build(outfile: string, target?: string): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'petstore-build-'))
  // Threads are loaded by name while it runs, so the compiler has to be told of them.
  const threads = [...new Bun.Glob('src/**/*-thread.ts').scanSync(ROOT)].toSorted()
  const what = ['--root=src', 'src/main.ts', ...threads, `--outfile=${join(folder, 'petstore')}`]
  const flags = [
    ...(target ? [`--target=${target}`] : []),
    '--compile',
    '--minify',
    '--sourcemap',
    ...PREDICTABLE,
  ]
  const code = await run([process.execPath, 'build', ...flags, ...what])
  if (code === 0) {
    await mkdir(dirname(outfile), { recursive: true })
    // Only the program: the maps to its sources, which the compiler puts beside it, are inside it as well.
    await copyFile(join(folder, 'petstore'), outfile)
    await chmod(outfile, 0o755)
  }
  await rm(folder, { recursive: true })
  return code === 0
}

/** `npm run build [-- target]`: dist/petstore for this machine, or for another kind, such as bun-linux-x64. */
if (import.meta.main) {
  const outfile = join(ROOT, 'dist/petstore')
  const isBuilt = await build(outfile, process.argv[2])
  if (isBuilt) say(`${outfile}: ${(Bun.file(outfile).size / 1024 / 1024).toFixed(0)} MiB`)
  process.exit(isBuilt ? 0 : 1)
}

import { ROOT } from '../command.ts'

const TESTS = new Bun.Glob('{src,client,tests,scripts}/**/*.test.ts')

/** The test files that Bun runs for these filters: a part of the path, or a path that begins with `./`. */
export function testFiles(filters: readonly string[]): string[] {
  const all = [...TESTS.scanSync({ cwd: ROOT })].filter(file => !file.includes('node_modules/'))
  if (filters.length === 0) return all
  return all.filter(file => filters.some(filter => `./${file}`.includes(filter)))
}

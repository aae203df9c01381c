import { basename, dirname, join } from 'node:path'
import { isNeed, type Need } from './list.ts'
import type { Wanted } from './preflight.ts'

const CALL = /\bneeds\(((?:\s*'[\w-]+',?\s*)+)\)/g

/** The needs that test files declare: for each need, the files by folder. */
export async function wantedBy(root: string, files: readonly string[]): Promise<Wanted> {
  const wanted = new Map<Need, Set<string>>()
  for (const file of files.toSorted()) {
    const text = await Bun.file(join(root, file)).text()
    for (const [, list = ''] of text.matchAll(CALL))
      for (const [, need = ''] of list.matchAll(/'([\w-]+)'/g)) {
        if (!isNeed(need))
          throw new Error(`${file} needs "${need}", which tests/support/programs/list.ts does not have.`)
        wanted.set(need, (wanted.get(need) ?? new Set()).add(file))
      }
  }
  const sorted = [...wanted].toSorted(([one], [other]) => (one < other ? -1 : 1))
  return new Map(sorted.map(([need, by]) => [need, byFolder([...by])]))
}

/** `tests/browser/{add,list}`, or the number of files if there are many. */
function byFolder(files: readonly string[]): string[] {
  return Object.entries(Object.groupBy(files, file => dirname(file))).map(([folder, inside = []]) => {
    const names = inside.map(file => basename(file, '.test.ts'))
    if (names.length === 1) return `${folder}/${names[0]}`
    return names.length > 4 ? `${folder} (${names.length} files)` : `${folder}/{${names.join(',')}}`
  })
}

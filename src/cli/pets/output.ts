import { type Pet, stringifyPet } from '../../../client/src/index.ts'
import { print } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { table } from '../terminal/table.ts'

const LINES_AT_ONCE = 100

/** A table in a terminal; in a pipe or with --json, one JSON object per line, as the animals arrive. */
export async function printPets(
  pets: Iterable<Pet> | AsyncIterable<Pet>,
  { json }: { readonly json?: boolean },
): Promise<void> {
  if (process.stdout.isTTY && !json) {
    const rows: string[][] = []
    for await (const pet of pets)
      rows.push([String(pet.id), printable(pet.name), String(pet.categoryId), pet.status ?? ''])
    await print(table(['ID', 'NAME', 'CATEGORY', 'STATUS'], rows, process.stdout.columns || 80))
    return
  }
  let lines: string[] = []
  for await (const pet of pets) {
    lines.push(`${stringifyPet(pet)}\n`)
    if (lines.length < LINES_AT_ONCE) continue
    await print(lines.join(''))
    lines = []
  }
  await print(lines.join(''))
}

import type { Pet } from '../../client/src/index.ts'
import { petToJson } from '../contract/pet.ts'
import { printable } from './printable.ts'
import { table } from './table.ts'

const LINES_AT_ONCE = 100

/** A table for a person; for a pipe, and with --json, one JSON object a line, as the animals come. */
export async function printPets(
  pets: Iterable<Pet> | AsyncIterable<Pet>,
  { json }: { readonly json?: boolean },
): Promise<void> {
  if (process.stdout.isTTY && !json) {
    const rows: string[][] = []
    for await (const pet of pets)
      rows.push([String(pet.id), printable(pet.name), String(pet.categoryId), pet.status])
    await write(table(['ID', 'NAME', 'CATEGORY', 'STATUS'], rows))
    return
  }
  let lines: string[] = []
  for await (const pet of pets) {
    lines.push(`${lineOf(pet)}\n`)
    if (lines.length < LINES_AT_ONCE) continue
    await write(lines.join(''))
    lines = []
  }
  await write(lines.join(''))
}

const lineOf = (pet: Pet): string =>
  petToJson({ ...pet, id: BigInt(pet.id), categoryId: BigInt(pet.categoryId) })

/** Resolves when the text is written, so that a slow reader slows us down and the end is not cut off. */
export async function write(text: string): Promise<void> {
  try {
    await Bun.write(Bun.stdout, text)
  } catch (error) {
    // Whoever read us has seen enough, as `head` does.
    if ((error as { code?: string }).code === 'EPIPE') process.exit(0)
    throw error
  }
}

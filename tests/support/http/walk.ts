import type { Service } from '../service/service.ts'
import type { PetBody } from './exact.ts'

/** Follows `next` links to the last page, or for this many pages. */
export async function walk(
  service: Service,
  first: string,
  maxPages = Number.POSITIVE_INFINITY,
): Promise<{ pets: PetBody[]; pages: number }> {
  const pets: PetBody[] = []
  let pages = 0
  for (let target: string | undefined = first; target !== undefined && pages < maxPages; pages++) {
    const answer = await service.fetch(target)
    if (answer.status !== 200) throw new Error(`${target} → ${answer.status} ${answer.text}`)
    pets.push(...answer.pets)
    target = answer.link('next')
  }
  return { pets, pages }
}

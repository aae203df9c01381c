import type { Stage } from '../store/transfer.ts'
import type { Entry } from './entry.ts'

export interface Gathered {
  readonly good: number
  readonly bad: number
}

interface GatherOptions {
  readonly entries: AsyncIterable<readonly Entry[]>
  /** Undefined if the animals are only checked. */
  readonly stage: Pick<Stage, 'gather'> | undefined
  readonly onBad: (line: number, problem: string) => void
  readonly onGood: (animals: number) => void
}

/** Stages the valid animals of a file and reports the invalid ones; the caller decides what to do with them. */
export async function gather({ entries, stage, onBad, onGood }: GatherOptions): Promise<Gathered> {
  let good = 0
  let bad = 0
  for await (const batch of entries) {
    const pets = batch.flatMap(entry => ('pet' in entry ? [entry.pet] : []))
    for (const entry of batch) if ('problem' in entry) onBad(entry.line, entry.problem)
    if (pets.length > 0) await stage?.gather(pets)
    good += pets.length
    bad += batch.length - pets.length
    onGood(pets.length)
  }
  return { good, bad }
}

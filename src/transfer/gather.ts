import type { Stage } from '../store/transfer.ts'
import type { Entry } from './entry.ts'

export interface Gathered {
  readonly good: number
  readonly bad: number
}

interface GatherOptions {
  readonly entries: AsyncIterable<readonly Entry[]>
  /** None where the animals are only to be checked. */
  readonly stage: Pick<Stage, 'gather'> | undefined
  readonly onBad: (line: number, problem: string) => void
  readonly onGood: (animals: number) => void
}

/** Puts the good animals of a file on the stage and reports the bad ones; the caller decides what becomes of them. */
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

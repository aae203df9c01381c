import { CHECK_MARGIN } from '../targets.ts'
import type { Summary } from './summary.ts'

/** One sentence for each workload that has fallen too far under its target; none is good. */
export function shortfalls({ ratios }: Summary): string[] {
  return ratios
    .filter(({ against }) => against === 'floor')
    .filter(({ median, target }) => target !== undefined && !(median >= CHECK_MARGIN * target))
    .map(({ workload, median, target = 0 }) => {
      const least = (CHECK_MARGIN * target).toFixed(2)
      return `${workload}: ${median.toFixed(2)} of the floor, at least ${least} is wanted (target ${target})`
    })
}

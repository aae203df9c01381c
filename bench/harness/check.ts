import { leastInCheck } from '../targets.ts'
import { measure } from './measure.ts'
import type { Options } from './options.ts'
import { type Ratio, type Summary, summarise } from './summary.ts'

/** The machine may be slow for a minute, so a workload that falls short is measured again before it counts. */
const ATTEMPTS = 5

/** Returns one sentence for each workload that is too far below the level reached before; none means success. */
export async function checkSpeed(options: Options, say: (line: string) => void): Promise<string[]> {
  let short: Ratio[] = []
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const workloads = attempt === 1 ? options.workloads : short.map(({ workload }) => workload)
    const summary = summarise((await measure({ ...options, workloads }, say)).rounds)
    short = shortfalls(summary)
    for (const { workload, median } of fromFloor(summary))
      say(`${workload}: ${median.toFixed(2)} of the floor`)
    if (short.length === 0) return []
  }
  return short.map(
    ({ workload, median }) =>
      `${workload}: ${median.toFixed(2)} of the floor, at least ${leastInCheck(workload).toFixed(2)} is wanted`,
  )
}

const fromFloor = ({ ratios }: Summary): Ratio[] => ratios.filter(({ against }) => against === 'floor')

const shortfalls = (summary: Summary): Ratio[] =>
  fromFloor(summary).filter(({ workload, median }) => !(median >= leastInCheck(workload)))

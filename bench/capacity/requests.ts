import { type Contestant, SERVICE } from '../contestants.ts'
import { Bench } from '../measure.ts'
import { FEW, WORKLOADS, type Workload } from '../workloads.ts'
import { type Effort, median, rounded, sayRow } from './figures.ts'

const VARIANTS: readonly Contestant[] = [
  { ...SERVICE, title: '1 thread' },
  { ...SERVICE, name: 'four', title: '4 threads', env: { PETSTORE_THREADS: '4' } },
  { ...SERVICE, name: 'postgres', title: '1 thread, PostgreSQL' },
]

/** Requests per second of the service's processor time. */
export async function measureRequests({ rounds, million }: Effort): Promise<void> {
  const bench = new Bench()
  const mostMiB = new Map<Contestant, number>()
  sayRow('Requests per second of one core', ...VARIANTS.map(({ title }) => title))
  try {
    for (const [workload, { title, isKept, syncDelayMs }] of Object.entries(WORKLOADS)) {
      if (syncDelayMs !== undefined) continue
      const cells: string[] = []
      for (const variant of VARIANTS) {
        const perCore: number[] = []
        while (perCore.length < rounds) {
          const found = await bench.run(variant, workload as Workload, isKept ? million : FEW)
          perCore.push(found.perSecond / found.serverCores)
          mostMiB.set(variant, Math.max(mostMiB.get(variant) ?? 0, Math.round(found.residentMiB)))
        }
        cells.push(rounded(median(perCore)))
      }
      sayRow(title, ...cells)
    }
  } finally {
    await bench.end()
  }
  sayRow('most memory, MiB', ...mostMiB.values())
}

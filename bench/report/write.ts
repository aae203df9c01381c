import { join } from 'node:path'
import { ROOT } from '../harness/contestants.ts'
import type { Results } from '../harness/measure.ts'
import type { Round } from '../harness/round.ts'
import { summarise } from '../harness/summary.ts'
import { renderMarkdown } from './markdown.ts'

const RESULTS = join(ROOT, 'bench', 'results')
export const LATEST = join(RESULTS, 'latest.json')
export const PARTIAL = join(RESULTS, 'partial.json')

export async function readResults(file: string): Promise<Results> {
  return (await Bun.file(file).json()) as Results
}

/** Writes one round per line, which keeps the file readable and its diffs small. */
export async function writeRaw(file: string, { rounds, disturbed, ...about }: Results): Promise<void> {
  const lines = (list: Round[]) => `[\n${list.map(round => `    ${JSON.stringify(round)}`).join(',\n')}\n  ]`
  const head = JSON.stringify(about, null, 2).replace(/\n\}$/, '')
  await Bun.write(file, `${head},\n  "rounds": ${lines(rounds)},\n  "disturbed": ${lines(disturbed)}\n}\n`)
}

export async function writeReport(results: Results): Promise<void> {
  const summary = summarise(results.rounds)
  // Only a full report needs the plotting library, so it is loaded here.
  const { drawPicture } = await import('./picture.ts')
  await writeRaw(LATEST, results)
  await Bun.write(join(RESULTS, 'latest.md'), renderMarkdown(results, summary))
  await Bun.write(join(RESULTS, 'latest.svg'), drawPicture(summary))
}

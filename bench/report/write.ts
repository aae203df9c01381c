import { join } from 'node:path'
import { ROOT } from '../harness/contestants.ts'
import type { Results } from '../harness/measure.ts'
import { summarise } from '../harness/summary.ts'
import { renderMarkdown } from './markdown.ts'

const RESULTS = join(ROOT, 'bench', 'results')
export const LATEST = join(RESULTS, 'latest.json')
export const PARTIAL = join(RESULTS, 'partial.json')

export async function readResults(file: string): Promise<Results> {
  return (await Bun.file(file).json()) as Results
}

export async function writeRaw(file: string, results: Results): Promise<void> {
  const { rounds, ...about } = results
  // One round a line keeps the file short enough to read and its diffs small.
  const lines = rounds.map(round => `    ${JSON.stringify(round)}`).join(',\n')
  const head = JSON.stringify(about, null, 2).replace(/\n\}$/, '')
  await Bun.write(file, `${head},\n  "rounds": [\n${lines}\n  ]\n}\n`)
}

export async function writeReport(results: Results): Promise<void> {
  const summary = summarise(results.rounds)
  // Only a full report needs the plotting library, so only here is it loaded.
  const { drawPicture } = await import('./picture.ts')
  await writeRaw(LATEST, results)
  await Bun.write(join(RESULTS, 'latest.md'), renderMarkdown(results, summary))
  await Bun.write(join(RESULTS, 'latest.svg'), drawPicture(summary))
}

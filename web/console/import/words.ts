import type { GoodRow } from '../../../src/transfer/pet-file.ts'
import type { BadRow } from '../../../src/transfer/pet-rows.ts'
import type { IconName } from '../parts/icon.tsx'
import { animals, counted, grouped, timeOf } from '../parts/words.ts'
import type { Doubtful } from './import-file.ts'
import type { ImportRun } from './import-run.ts'

export const lines = (count: number): string => counted(count, 'line')

export function headingOf(run: ImportRun): string {
  const { stage, toGo, leftOut, bad, failure, doubtful } = run
  const added = run.added.size
  if (stage === 'running') return `Adding animals: ${grouped(added)} of ${grouped(added + toGo)}`
  if (stage === 'paused')
    return `${failure ? 'Stopped' : 'Paused'} at ${grouped(added)} of ${grouped(added + toGo)}`
  if (toGo > 0) return `${animals(toGo)} to add`
  const isOnlyKnown = leftOut.length > 0 && doubtful.changed.length === 0
  if (bad.length === 0 && added === 0 && isOnlyKnown) return 'Nothing new'
  if (stage === 'preview') return 'Nothing to add'
  if (bad.length > 0)
    return `${added === 0 ? 'Nothing' : grouped(added)} added, ${grouped(bad.length)} refused`
  return `${animals(added)} ${added === 1 ? 'was' : 'were'} added`
}

export const showText = (added: number): string =>
  added === 1 ? 'Show it in the list' : `Show the ${grouped(added)} in the list`

/** `spring.csv, 44 lines, 14:02, 3 s` */
export function subtitleOf({ file, stage, startedAt, endedAt }: ImportRun): string {
  const seconds = Math.ceil((endedAt - startedAt) / 1000)
  const took = seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  const times = stage === 'preview' ? [] : [timeOf(startedAt), ...(stage === 'done' ? [took] : [])]
  return [file.name, lines(file.good.length + file.bad.length), ...times].join(', ')
}

export type Group = 'added' | 'leftOut' | 'bad' | Doubtful

/** The last part says what is done with the rows or why, without a verb, so it suits any number. */
type Tile = readonly [Group, IconName, label: string, rows: readonly (GoodRow | BadRow)[], about: string]

/** The groups of lines. */
export function tilesOf(run: ImportRun): readonly Tile[] {
  const { stage, file, doubtful, leftOut, added, bad } = run
  const { known, changed } = doubtful
  const others = new Set(leftOut)
  const fateOf = (what: Doubtful): string => (file.asked.has(what) ? 'added too' : 'left out')
  if (stage !== 'preview')
    return [
      ['added', 'check', 'Added', [...added.values()], idsText([...added.keys()])],
      ['leftOut', 'skip', 'Left out', leftOut, reasonsOf(run)],
      ['bad', 'alert', 'Not added', bad, 'with a problem'],
    ]
  return [
    ['added', 'plus', 'To add', file.good.filter(row => !others.has(row)), 'nothing is sent yet'],
    ['known', 'skip', 'Already there', known, fateOf('known')],
    ...(changed.length > 0 ? [['changed', 'ask', 'With an ID', changed, fateOf('changed')] as const] : []),
    ['bad', 'alert', 'With problems', bad, 'not added'],
  ]
}

/** Why rows were left out. Two reasons have a number each. */
function reasonsOf({ file, doubtful: { known, changed } }: ImportRun): string {
  const ofKnown = file.asked.has('known') ? 0 : known.length
  const ofChanged = file.asked.has('changed') ? 0 : changed.length
  if (ofChanged === 0) return 'already there'
  if (ofKnown === 0) return 'with an ID'
  return `${grouped(ofKnown)} already there, ${grouped(ofChanged)} with an ID`
}

function idsText(ids: readonly bigint[]): string {
  const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1))
  const [first = 0n, last = first] = [sorted[0], sorted.at(-1)]
  if (ids.length < 2) return ids.length === 0 ? 'none' : `ID ${first}`
  // Others may have added animals in between.
  const isWhole = last - first === BigInt(ids.length - 1)
  return `${isWhole ? 'IDs' : `${grouped(ids.length)} IDs from`} ${first} to ${last}`
}

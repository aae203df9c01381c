import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FailureNote, failureText } from '../parts/failure.tsx'
import { Button, save } from '../parts/fields.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { animals, grouped, timeOf } from '../parts/labels.tsx'
import type { Doubtful } from './import-file.ts'
import type { ImportRun } from './import-run.ts'
import { Lines, type LinesProps, lines } from './lines.tsx'

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

/** `spring.csv, 44 lines, 14:02, 3 s` */
function subtitleOf({ file, stage, startedAt, endedAt }: ImportRun): string {
  const seconds = Math.ceil((endedAt - startedAt) / 1000)
  const took = seconds < 100 ? `${seconds} s` : `${Math.round(seconds / 60)} min`
  const times = stage === 'preview' ? [] : [timeOf(startedAt), ...(stage === 'done' ? [took] : [])]
  return [file.name, lines(file.good.length + file.bad.length), ...times].join(', ')
}

export const Heading = ({ run }: { run: ImportRun }) => [
  headingOf(run),
  <span key="subtitle" class="subtitle small dim">
    {subtitleOf(run)}
  </span>,
]

const LOOKS = { added: 'available', known: 'sold', changed: 'sold', leftOut: 'sold', bad: 'bad' } as const
type Group = keyof typeof LOOKS

const ADVICE: Partial<Record<Group, string>> = {
  known: 'The store has the same animals, as many of each.',
  changed: 'The store has no animal with the same name, category and status.',
  bad: 'Correct them in the file and choose it again: what was added is not added twice.',
}

/** The groups of lines: how many there are, and what is done with them. */
function tilesOf(
  run: ImportRun,
): readonly (readonly [Group, IconName, string, LinesProps['rows'], string])[] {
  const { stage, file, doubtful, leftOut, added, bad } = run
  const { known, changed } = doubtful
  const others = new Set(leftOut)
  const fateOf = (what: Doubtful): string => (file.asked.has(what) ? 'are added too' : 'are left out')
  if (stage !== 'preview')
    return [
      ['added', 'check', 'Added', [...added.values()], idsText([...added.keys()])],
      ['leftOut', 'skip', 'Left out', leftOut, changed.length > 0 ? 'not asked for' : 'already there'],
      ['bad', 'alert', 'Not added', bad, 'lines with a problem'],
    ]
  return [
    ['added', 'plus', 'To add', file.good.filter(row => !others.has(row)), 'nothing is sent yet'],
    ['known', 'skip', 'Already there', known, fateOf('known')],
    ...(changed.length > 0 ? [['changed', 'ask', 'With an ID', changed, fateOf('changed')] as const] : []),
    ['bad', 'alert', 'With problems', bad, 'are not added'],
  ]
}

/** The frame of all stages: figures, a bar, what is wrong if anything is, and lines. */
export function Progress({ run, children }: { run: ImportRun; children: ComponentChildren }) {
  const { stage, file, doubtful, leftOut, added, bad, toGo, unsettled, failure, waiting } = run
  const [chosen, setChosen] = useState<{ readonly group: Group; readonly stage: string }>()
  const isPreview = stage === 'preview'
  const left = !isPreview ? 'leftOut' : doubtful.changed.length > 0 ? 'changed' : 'known'
  const usual = bad.length > 0 ? 'bad' : toGo === 0 && leftOut.length > 0 ? left : 'added'
  const group = chosen?.stage === stage ? chosen.group : usual
  const tiles = tilesOf(run)
  const [, , title = '', rows = []] = tiles.find(([name]) => name === group) ?? []
  const parts = { available: added.size, rest: toGo, sold: leftOut.length, bad: bad.length }
  return (
    <>
      <p class="hidden" role="status">
        {!isPreview && (stage === 'running' ? 'Adding animals' : headingOf(run))}
      </p>
      <fieldset class="tiles card">
        <legend class="hidden">Lines to show</legend>
        {tiles.map(([name, icon, label, { length: count }, about]) => (
          <button
            key={name}
            type="button"
            class={`tile ${LOOKS[name]} ${count === 0 ? 'dim' : ''}`}
            aria-pressed={group === name}
            onClick={() => setChosen({ group: name, stage })}
          >
            <span class="row nowrap">
              <Icon name={icon} /> {label}
            </span>
            <strong>{grouped(count)}</strong>
            <span class="small dim">{about}</span>
          </button>
        ))}
      </fieldset>
      <span class="bar" aria-hidden="true">
        {Object.entries(parts).map(
          ([look, count]) => count > 0 && <i key={look} class={look} style={{ flexGrow: count }} />,
        )}
      </span>
      {children}
      {waiting && (
        <div class="note note-unknown row">
          <p>
            <strong role="status">{failureText(waiting.failure)[0]}.</strong> No line is lost: the import
            continues at {new Date(waiting.until).toLocaleTimeString()}.
          </p>
        </div>
      )}
      {stage === 'paused' && unsettled > 0 && (
        <div class="note note-unknown row">
          <p>{grouped(unsettled)} more may have been added. “Resume” finds out, and adds nothing twice.</p>
        </div>
      )}
      {stage === 'paused' && failure && <FailureNote failure={failure} />}
      <Lines
        rows={rows}
        title={group === 'bad' ? 'to correct' : title.replace(/^./, first => first.toLowerCase())}
        about={ADVICE[group] ?? (toGo > 0 ? 'Animals cannot be removed, so an import cannot be undone.' : '')}
      >
        {group === 'bad' && stage !== 'running' && (
          <Button
            look="small"
            // Without a byte order mark, a spreadsheet would mistake UTF-8 for another encoding.
            onClick={() => save(new Blob(['\ufeff', file.corrections(bad)]), `to-correct-${file.name}`)}
          >
            <Icon name="down-load" /> Save as a file
          </Button>
        )}
      </Lines>
    </>
  )
}

function idsText(ids: readonly bigint[]): string {
  const sorted = ids.toSorted((one, other) => (one < other ? -1 : 1))
  const [first = 0n, last = first] = [sorted[0], sorted.at(-1)]
  if (ids.length < 2) return ids.length === 0 ? 'none' : `ID ${first}`
  // Others may have added animals in between.
  const isWhole = last - first === BigInt(ids.length - 1)
  return `${isWhole ? 'IDs' : `${grouped(ids.length)} IDs from`} ${first} to ${last}`
}

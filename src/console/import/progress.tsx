import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FailureNote, failureText } from '../parts/failure.tsx'
import { Button, save } from '../parts/fields.tsx'
import { Icon, type IconName } from '../parts/icon.tsx'
import { animals, grouped, timeOf } from '../parts/labels.tsx'
import type { Doubtful } from './import-file.ts'
import type { ImportRun } from './import-run.ts'
import { Lines, type LinesProps, lines } from './lines.tsx'

export function headingOf({ stage, toGo, leftOut, addedIds, bad, failure, doubtful }: ImportRun): string {
  const added = addedIds.size
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

/** The frame of all stages: figures, a bar, what is wrong if anything is, and lines. */
export function Progress({ run, children }: { run: ImportRun; children: ComponentChildren }) {
  const { stage, file, doubtful, leftOut, addedIds, bad, toGo, unsettled, failure, waiting } = run
  const { known, changed } = doubtful
  const [chosen, setChosen] = useState<{ readonly group: Group; readonly stage: string }>()
  const isPreview = stage === 'preview'
  const left = !isPreview ? 'leftOut' : changed.length > 0 ? 'changed' : 'known'
  const usual = bad.length > 0 ? 'bad' : toGo === 0 && leftOut.length > 0 ? left : 'added'
  const fateOf = (what: Doubtful): string => (file.asked.has(what) ? 'are added too' : 'are left out')
  const group = chosen?.stage === stage ? chosen.group : usual
  const tiles: readonly (readonly [Group, IconName, string, number, string])[] = isPreview
    ? [
        ['added', 'plus', 'To add', toGo, 'nothing is sent yet'],
        ['known', 'skip', 'Already there', known.length, fateOf('known')],
        ...(changed.length > 0
          ? [['changed', 'ask', 'With an ID', changed.length, fateOf('changed')] as const]
          : []),
        ['bad', 'alert', 'With problems', bad.length, 'are not added'],
      ]
    : [
        ['added', 'check', 'Added', addedIds.size, idsText(addedIds)],
        [
          'leftOut',
          'skip',
          'Left out',
          leftOut.length,
          changed.length > 0 ? 'not asked for' : 'already there',
        ],
        ['bad', 'alert', 'Not added', bad.length, 'lines with a problem'],
      ]
  const parts = { available: addedIds.size, rest: toGo, sold: leftOut.length, bad: bad.length }
  return (
    <>
      <p class="hidden" role="status">
        {!isPreview && (stage === 'running' ? 'Adding animals' : headingOf(run))}
      </p>
      <fieldset class="tiles card">
        <legend class="hidden">Lines to show</legend>
        {tiles.map(([name, icon, label, count, about]) => (
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
            <strong role="status">{failureText(waiting.failure.code)[0]}.</strong> No line is lost: the import
            continues at {new Date(waiting.until).toLocaleTimeString()}.
          </p>
        </div>
      )}
      {stage === 'paused' && unsettled > 0 && (
        <p class="note note-unknown row">
          {grouped(unsettled)} more may have been added. “Resume” finds out, and adds nothing twice.
        </p>
      )}
      {stage === 'paused' && failure && <FailureNote failure={failure} />}
      <Lines {...linesOf(run, group)} />
    </>
  )
}

function idsText(ids: ReadonlySet<bigint>): string {
  const [first, ...others] = [...ids].sort((one, other) => (one < other ? -1 : 1))
  if (first === undefined) return 'none'
  return others.length === 0 ? `ID ${first}` : `IDs ${first} to ${others.at(-1)}`
}

function linesOf(run: ImportRun, group: Group): LinesProps {
  const { file, stage, doubtful, leftOut, addedRows, bad, toGo } = run
  if (group === 'bad')
    return {
      rows: bad,
      title: 'to correct',
      about: 'Correct them in the file and choose it again: what was added is not added twice.',
      children: stage !== 'running' && (
        <Button
          look="small"
          // Without a byte order mark, a spreadsheet would mistake UTF-8 for another encoding.
          onClick={() => save(new Blob(['\ufeff', file.corrections(bad)]), `to-correct-${file.name}`)}
        >
          <Icon name="down-load" /> Save as a file
        </Button>
      ),
    }
  if (group === 'leftOut') return { rows: leftOut, title: 'left out', about: '' }
  if (group === 'known')
    return {
      rows: doubtful.known,
      title: 'already there',
      about: 'The store has the same animals, as many of each.',
    }
  if (group === 'changed')
    return {
      rows: doubtful.changed,
      title: 'with an ID',
      about: 'The store has no animal with the same name, category and status.',
    }
  const isPreview = stage === 'preview'
  const others = new Set(leftOut)
  return {
    rows: file.good.filter(row => (isPreview ? !others.has(row) : addedRows.has(row))),
    title: isPreview ? 'to add' : 'added',
    about: toGo > 0 ? 'Animals cannot be removed, so an import cannot be undone.' : '',
  }
}

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { FailureNote, failureText } from '../parts/failure.tsx'
import { Button, save } from '../parts/fields.tsx'
import { Icon } from '../parts/icon.tsx'
import { grouped } from '../parts/words.ts'
import type { ImportRun } from './import-run.ts'
import { Lines } from './lines.tsx'
import { type Group, headingOf, subtitleOf, tilesOf } from './words.ts'

export const Heading = ({ run }: { run: ImportRun }) => [
  headingOf(run),
  <span key="subtitle" class="subtitle small dim">
    {subtitleOf(run)}
  </span>,
]

const LOOKS = { added: 'available', known: 'sold', changed: 'sold', leftOut: 'sold', bad: 'bad' } as const

const ADVICE: Partial<Record<Group, string>> = {
  known: 'The store has the same animals, as many of each.',
  changed: 'The store has no animal with the same name, category and status.',
  bad: 'Correct them in the file and choose it again: what was added is not added twice.',
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

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Format } from '../../transfer/pet-file.ts'
import { facts } from '../page-facts.ts'
import { FailureNote } from '../parts/failure.tsx'
import { animals } from '../parts/numbers.ts'
import { useObserved } from '../parts/observed.ts'
import { Sheet } from '../parts/sheet.tsx'
import type { View } from '../view/view.ts'
import { ExportRun } from './export-run.ts'

interface Props {
  readonly apiKey: string
  readonly view: View
  readonly onClose: () => void
}

/** Everything that the filter lets through, as one file. */
export function ExportSheet({ apiKey, view: { status }, onClose }: Props) {
  const [run, setRun] = useState(() => new ExportRun())
  const [format, setFormat] = useState<Format>('csv')
  const [isForSpreadsheets, setForSpreadsheets] = useState(true)
  const [isSaved, setSaved] = useState(false)
  const { written, isRunning, failure } = useObserved(run.state)
  // Whatever is being read is of no use once the sheet is closed.
  const current = useRef(run)
  current.current = run
  useEffect(() => () => current.current.stop(), [])

  const start = async (event: Event) => {
    event.preventDefault()
    if (isRunning) return
    const begun = new ExportRun()
    setRun(begun)
    setSaved(false)
    const file = await begun.run(apiKey, {
      status,
      format,
      isForSpreadsheets: isForSpreadsheets && format === 'csv',
    })
    if (file === undefined) return
    save(
      file,
      `petstore-${facts.environment}-${status ?? 'all'}-${new Date().toISOString().slice(0, 10)}.${format}`,
    )
    setSaved(true)
  }

  return (
    <Sheet title="Export" onClose={onClose}>
      <form onSubmit={start}>
        <p class="muted">{status ? `All ${status} animals` : 'All animals'}, from the first to the newest.</p>
        <fieldset class="field">
          <legend>Format</legend>
          <div class="segments">
            {(['csv', 'ndjson'] as const).map(choice => (
              <label key={choice} class="segment segment-plain">
                <input
                  type="radio"
                  name="format"
                  checked={format === choice}
                  onChange={() => setFormat(choice)}
                />
                {choice.toUpperCase()}
              </label>
            ))}
          </div>
        </fieldset>
        {format === 'csv' && (
          <label class="check">
            <input
              type="checkbox"
              checked={isForSpreadsheets}
              onChange={event => setForSpreadsheets(event.currentTarget.checked)}
            />
            <span>
              Safe to open in a spreadsheet
              <span class="hint">
                Puts an apostrophe before names that a spreadsheet would run as a formula. Untick it for a
                file that is to be imported again.
              </span>
            </span>
          </label>
        )}
        <p role="status">
          {isRunning && `${animals(written)} read…`}
          {isSaved && `${animals(written)} exported.`}
        </p>
        {failure && failure.code !== 'aborted' && <FailureNote failure={failure} />}
        {failure?.code === 'aborted' && <p class="muted">Stopped. Nothing was saved.</p>}
        <div class="sheet-actions">
          {isRunning ? (
            <button type="button" class="button" onClick={() => run.stop()}>
              Stop
            </button>
          ) : (
            <button type="submit" class="button button-primary">
              {failure ? 'Try again' : 'Export'}
            </button>
          )}
          <button type="button" class="button button-quiet sheet-cancel" onClick={onClose}>
            Close
          </button>
        </div>
      </form>
    </Sheet>
  )
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to take it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

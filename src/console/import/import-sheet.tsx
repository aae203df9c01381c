import { useEffect, useState } from 'preact/hooks'
import { MAX_FILE_BYTES, UnreadableFile } from '../../transfer/pet-file.ts'
import { facts } from '../page-facts.ts'
import { Sheet } from '../parts/sheet.tsx'
import { ImportProgress } from './import-progress.tsx'
import { ImportRun } from './import-run.ts'
import { parseFile } from './parse.ts'

/** Holds the import for as long as the page lives, whether its sheet is open or not. */
export interface ImportSlot {
  current: ImportRun | null
}

interface Props {
  readonly apiKey: string
  readonly slot: ImportSlot
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function ImportSheet({ apiKey, slot, onChanged, onClose }: Props) {
  const [run, setRun] = useState(slot.current)
  const [problem, setProblem] = useState<string>()
  const hold = (next: ImportRun | null) => {
    slot.current = next
    setRun(next)
  }
  useEffect(() => onChanged, [onChanged])

  const read = async (file: File | undefined) => {
    if (file === undefined) return
    setProblem(undefined)
    // Of a file that is too large, enough to be refused.
    const bytes = new Uint8Array(await file.slice(0, MAX_FILE_BYTES + 1).arrayBuffer())
    try {
      hold(new ImportRun(file.name, parseFile(bytes, file.name, facts)))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      setProblem(error.message)
    }
  }

  return (
    <Sheet title="Import" isWide onClose={onClose}>
      {run ? (
        <ImportProgress run={run} apiKey={apiKey} onOther={() => hold(null)} />
      ) : (
        <label
          class="drop"
          onDragOver={event => event.preventDefault()}
          onDrop={event => {
            event.preventDefault()
            void read(event.dataTransfer?.files[0])
          }}
        >
          <span class="drop-title">Choose a CSV or NDJSON file, or drop it here</span>
          <span class="hint">
            CSV: a first line <code>name,categoryId,status</code>, then one animal on each line. NDJSON: one
            JSON object on each line. Nothing is added before you have seen it.
          </span>
          <input
            class="input"
            type="file"
            accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
            onChange={event => void read(event.currentTarget.files?.[0])}
          />
        </label>
      )}
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="sheet-actions">
        <button type="button" class="button button-quiet sheet-cancel" onClick={onClose}>
          Close
        </button>
      </div>
    </Sheet>
  )
}

import { useEffect, useMemo, useState } from 'preact/hooks'
import { type BadRow, type GoodRow, MAX_FILE_BYTES, UnreadableFile } from '../../transfer/pet-file.ts'
import { FailureNote } from '../parts/failure.tsx'
import { Button, save } from '../parts/fields.tsx'
import { useObserved } from '../parts/hooks.ts'
import { animals, grouped, Name, Status } from '../parts/labels.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { twinsOf } from '../pets/select.ts'
import { useSession } from '../session/session.ts'
import { type ImportFile, ImportRun, importFile } from './import.ts'

const PREVIEWED = 5
const MOST_PROBLEMS = 50
const MOST_LINES = 20
const EXAMPLE = 'name,categoryId,status\nRex,7,available\n"Mia, the second",7,pending\nBo,12,sold\n'

export function ImportSheet() {
  const { apiKey, index, importing } = useSession()
  const run = useObserved(importing)
  useEffect(() => () => void index.refresh(), [index])
  const begin = (file: ImportFile) => importing.set(new ImportRun(file, apiKey, pet => index.own(pet)))
  const restart = () => importing.set(undefined)
  return (
    <Sheet title="Import" isWide footer={run && <ImportActions run={run} onOther={restart} />}>
      {run ? <ImportProgress run={run} /> : <FilePicker onFile={begin} />}
      <p class="small muted">
        Animals cannot be removed, so an import cannot be undone. To continue later, choose the same file
        again within a day and with the same key, corrected or not: what was added is not added twice.
      </p>
    </Sheet>
  )
}

function FilePicker({ onFile }: { onFile: (file: ImportFile) => void }) {
  const [problem, setProblem] = useState<string>()
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    setProblem(undefined)
    // Reads only enough of a file that is too large to reject it.
    const bytes = new Uint8Array(await file.slice(0, MAX_FILE_BYTES + 1).arrayBuffer())
    try {
      onFile(importFile(bytes, file.name))
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      setProblem(error.message)
    }
  }
  return (
    <fieldset
      class="drop stack"
      onDragOver={event => event.preventDefault()}
      onDrop={event => {
        event.preventDefault()
        void read(event.dataTransfer?.files[0])
      }}
    >
      <legend class="hidden">The file</legend>
      <div class="actions row">
        <label class="button button-primary">
          Choose a file
          <input
            class="hidden"
            type="file"
            aria-describedby="file-about"
            accept=".csv,.ndjson,.jsonl,text/csv,application/x-ndjson"
            onChange={event => {
              void read(event.currentTarget.files?.[0])
              // Allows the same file to be chosen again.
              event.currentTarget.value = ''
            }}
          />
        </label>
        <Button onClick={() => save(new Blob([EXAMPLE], { type: 'text/csv' }), 'example.csv')}>
          Save an example
        </Button>
      </div>
      <p id="file-about" class="hint">
        CSV or NDJSON, or drop it here. CSV: a first line <code>name,categoryId,status</code>, then one animal
        on each line. NDJSON: one JSON object on each line. Nothing is added before you have seen it.
      </p>
      {problem && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

/** The contents of a file, its problems, and the progress of its import. */
function ImportProgress({ run }: { run: ImportRun }) {
  const { added, already, refused, isRunning, failure } = useObserved(run.state)
  const { done } = run
  const { name, good, bad } = run.file
  const problems = [...bad, ...refused]
  return (
    <>
      <p>
        <strong>{name}</strong>: {animals(good.length)} to add
        {bad.length > 0 && `, ${grouped(bad.length)} with problems, which are left out`}.
      </p>
      {done === 0 && good.length > 0 && <Preview rows={good} />}
      {done === 0 && !isRunning && <Twins rows={good} />}
      {problems.length > 0 && <Problems file={run.file} rows={problems} />}
      {(done > 0 || isRunning) && (
        <>
          <progress max={good.length} value={done} aria-label="Progress of the import" />
          <p role="status">
            {grouped(added)} added
            {already.length > 0 &&
              `, ${grouped(already.length)} left out, because they were added in the last 24 hours (${linesText(already)})`}
            {done < good.length && `, ${grouped(good.length - done)} to go`}
            {!isRunning && done === good.length && '. Done.'}
          </p>
        </>
      )}
      {failure && !isRunning && <FailureNote failure={failure} />}
    </>
  )
}

function ImportActions({ run, onOther }: { run: ImportRun; onOther: () => void }) {
  const { already, isRunning, failure } = useObserved(run.state)
  const { done } = run
  const total = run.file.good.length
  if (isRunning)
    return (
      <Button look="wide" onClick={() => run.pause()}>
        Pause
      </Button>
    )
  return (
    <>
      {done < total && (
        <Button look="primary wide" onClick={() => void run.run()}>
          {done > 0 || failure ? 'Resume' : `Add ${animals(total)}`}
        </Button>
      )}
      {done === total && already.length > 0 && (
        <Button onClick={() => void run.addAgain()}>Add the {animals(already.length)} again</Button>
      )}
      <Button onClick={onOther}>Choose another file</Button>
    </>
  )
}

/** The numbers of the first few lines, for a sentence. */
const linesText = (rows: readonly GoodRow[]): string =>
  `${rows.length === 1 ? 'line' : 'lines'} ${rows
    .map(({ line }) => line)
    .sort((one, other) => one - other)
    .slice(0, MOST_LINES)
    .join(', ')}${rows.length > MOST_LINES ? '…' : ''}`

const Preview = ({ rows }: { rows: readonly GoodRow[] }) => (
  <table class="animals card">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Category</th>
        <th scope="col">Status</th>
      </tr>
    </thead>
    <tbody>
      {rows.slice(0, PREVIEWED).map(({ line, pet }) => (
        <tr key={line}>
          <td class="name">
            <Name name={pet.name} />
          </td>
          <td>{String(pet.categoryId)}</td>
          <td>
            <Status status={pet.status} />
          </td>
        </tr>
      ))}
      {rows.length > PREVIEWED && (
        <tr>
          <td colSpan={3} class="muted">
            and {grouped(rows.length - PREVIEWED)} more
          </td>
        </tr>
      )}
    </tbody>
  </table>
)

/** A quiet hint, as in the form. Importing an export would double the store. */
function Twins({ rows }: { rows: readonly GoodRow[] }) {
  const { index } = useSession()
  const { pets, readAt } = useObserved(index.state)
  const count = useMemo(() => twinsOf(rows, pets), [rows, pets, readAt])
  return (
    <p class="small hint" role="status">
      {count > 0 &&
        `${animals(count)} ${count === 1 ? 'has' : 'have'} the same name and category as an animal already in the store.`}
    </p>
  )
}

const Problems = ({ file, rows }: { file: ImportFile; rows: readonly BadRow[] }) => (
  <details class="fold" open>
    <summary>
      {rows.length === 1 ? '1 line with a problem' : `${grouped(rows.length)} lines with problems`}
    </summary>
    <ol class="plain-list small">
      {rows.slice(0, MOST_PROBLEMS).map(({ line, problem }) => (
        <li key={line}>
          <strong>Line {grouped(line)}.</strong> {problem}
        </li>
      ))}
    </ol>
    {rows.length > MOST_PROBLEMS && <p class="small muted">The first {MOST_PROBLEMS} are shown.</p>}
    <Button look="small" onClick={() => save(new Blob([file.textOf(rows)]), `problems-${file.name}`)}>
      Save these lines
    </Button>
  </details>
)

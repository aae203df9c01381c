import type { BadRow, GoodRow } from '../../transfer/pet-file.ts'
import { FailureNote } from '../parts/failure.tsx'
import { Name } from '../parts/name.tsx'
import { animals, grouped } from '../parts/numbers.ts'
import { useObserved } from '../parts/observed.ts'
import { Status } from '../parts/status.tsx'
import type { ImportRun } from './import-run.ts'

const PREVIEWED = 5
const MOST_PROBLEMS = 50
const SHOWN_LINES = 20

interface Props {
  readonly run: ImportRun
  readonly apiKey: string
  readonly onOther: () => void
}

/** A file: what is in it, what is wrong with it, and how far it is. */
export function ImportProgress({ run, apiKey, onOther }: Props) {
  const { added, already, refused, isRunning, failure } = useObserved(run.state)
  const { good, bad } = run.parsed
  const done = added + already.length + refused.length
  const problems = [...bad, ...refused]
  return (
    <div class="import">
      <p>
        <strong>{run.fileName}</strong>: {animals(good.length)} to add
        {bad.length > 0 && `, ${grouped(bad.length)} with problems, which are left out`}.
      </p>
      {done === 0 && good.length > 0 && (
        <Preview rows={good.slice(0, PREVIEWED)} more={good.length - PREVIEWED} />
      )}
      {problems.length > 0 && <Problems rows={problems} />}
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
      <div class="sheet-actions">
        {isRunning && (
          <button type="button" class="button" onClick={() => run.pause()}>
            Pause
          </button>
        )}
        {!isRunning && done < good.length && (
          <button type="button" class="button button-primary" onClick={() => void run.run(apiKey)}>
            {done > 0 || failure ? 'Resume' : `Add ${animals(good.length)}`}
          </button>
        )}
        {!isRunning && done === good.length && already.length > 0 && (
          <button type="button" class="button" onClick={() => void run.addAgain(apiKey)}>
            Add the {animals(already.length)} again
          </button>
        )}
        {!isRunning && (
          <button type="button" class="button" onClick={onOther}>
            Choose another file
          </button>
        )}
      </div>
      <p class="small muted">
        Animals cannot be removed, so an import cannot be undone. To continue later, choose the same file
        again within a day, corrected or not: what was added is not added twice.
      </p>
    </div>
  )
}

/** The first of them, for a sentence. */
const linesText = (rows: readonly GoodRow[]): string =>
  `${rows.length === 1 ? 'line' : 'lines'} ${rows
    .slice(0, SHOWN_LINES)
    .map(({ line }) => line)
    .sort((one, other) => one - other)
    .join(', ')}${rows.length > SHOWN_LINES ? '…' : ''}`

const Preview = ({ rows, more }: { rows: readonly GoodRow[]; more: number }) => (
  <table class="animals card">
    <thead>
      <tr>
        <th scope="col">Name</th>
        <th scope="col">Category</th>
        <th scope="col">Status</th>
      </tr>
    </thead>
    <tbody>
      {rows.map(({ line, pet }) => (
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
      {more > 0 && (
        <tr class="gap">
          <td colSpan={3}>and {grouped(more)} more</td>
        </tr>
      )}
    </tbody>
  </table>
)

const Problems = ({ rows }: { rows: readonly BadRow[] }) => (
  <details class="fold" open>
    <summary>
      {rows.length === 1 ? '1 line with a problem' : `${grouped(rows.length)} lines with problems`}
    </summary>
    <ol class="problems">
      {rows.slice(0, MOST_PROBLEMS).map(({ line, problem }) => (
        <li key={line}>
          <strong>Line {grouped(line)}.</strong> {problem}
        </li>
      ))}
    </ol>
    {rows.length > MOST_PROBLEMS && <p class="small muted">The first {MOST_PROBLEMS} are shown.</p>}
  </details>
)

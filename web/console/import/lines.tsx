import type { ComponentChildren } from 'preact'
import type { GoodRow } from '../../../src/transfer/pet-file.ts'
import type { BadRow, Row } from '../../../src/transfer/pet-rows.ts'
import { Category, Name, Status } from '../parts/labels.tsx'
import { lines } from './words.ts'

const MOST_LINES = 50
const LONGEST_TEXT = 200

interface LinesProps {
  readonly rows: readonly (GoodRow | BadRow)[]
  /** What all these lines have in common. */
  readonly title: string
  readonly about: string
  readonly children?: ComponentChildren
}

/** Lines as they are in the file, and how they were read or what is wrong with them. */
export const Lines = ({ rows, title, about, children }: LinesProps) => (
  <section aria-labelledby="lines-title">
    <div class="row spread">
      <h3 id="lines-title">{`${lines(rows.length)} ${title}`}</h3>
      {rows.length > 0 && <div class="row">{children}</div>}
    </div>
    <p class="small muted">{about}</p>
    {rows[0] && (
      <table class="lines card">
        <thead class="wide">
          <tr>
            <th scope="col">Line</th>
            <th scope="col">In the file</th>
            <th scope="col">{'pet' in rows[0] ? 'Read as' : 'What to change'}</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST_LINES).map(row => (
            <tr key={row.line}>
              <td class="dim">{row.line}</td>
              <td>
                <code>
                  <Marked row={row} />
                </code>
              </td>
              <td class="small">{'pet' in row ? <Animal row={row} /> : row.problem}</td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
    {rows.length > MOST_LINES && <p class="hint">The first {MOST_LINES} are shown.</p>}
  </section>
)

const Animal = ({ row: { pet } }: { row: GoodRow }) => (
  <span class="row">
    <Name name={pet.name} />
    <span class="dim">
      <Category id={String(pet.categoryId)} />
    </span>
    <Status status={pet.status} />
  </span>
)

/** The row as it is in the file. Fields whose values are wrong are marked. */
function Marked({ row: { text, wrong = [] } }: { row: Row }) {
  const shown = text.length > LONGEST_TEXT ? `${text.slice(0, LONGEST_TEXT)}…` : text
  const values = wrong.map(value => value.replace(/\W/g, '\\$&')).join('|') || '(?!)'
  const parts = shown.split(new RegExp(`(?<=^|[\\s,;:"])(${values})(?=$|[\\s,;"}])`, 'i'))
  return parts.map((part, place) => {
    const name = <Name name={part} />
    // The values are at the odd places. A name may be equal to one, and comes first.
    return place % 2 === 1 && !parts.includes(part, place + 1) ? <mark>{name}</mark> : name
  })
}

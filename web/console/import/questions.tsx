import type { Encoding, Reading } from '../../../src/transfer/decode.ts'
import { capital } from '../list/view.ts'
import { Choice, TextField } from '../parts/fields.tsx'
import { Icon } from '../parts/icon.tsx'
import { counted, grouped } from '../parts/words.ts'
import type { ChosenFile, Doubtful, ImportFile } from './import-file.ts'
import type { ImportRun } from './import-run.ts'
import { lines } from './words.ts'

const MOST_NAMES = 8

/** A file whose bytes do not tell how its letters are to be read. The encoding is the one that is chosen now. */
export interface UnsureFile extends ChosenFile {
  readonly encoding: Encoding
  readonly readings: readonly Reading[]
}

interface Asking<File extends ChosenFile> {
  readonly file: File
  readonly onChoose: (file: File) => void
}

/** People recognise their words. */
export const ReadingQuestion = ({ file, onChoose }: Asking<UnsureFile>) => (
  <>
    <p>
      <strong>{file.name}</strong> is not Unicode, so its special letters can be read in several ways. Choose
      the one that shows these words right.
    </p>
    <Choice
      legend="Words in the file"
      name="reading"
      values={file.readings.map(({ encoding }) => encoding)}
      value={file.encoding}
      onChange={encoding => onChoose({ ...file, encoding })}
    >
      {encoding => (
        <span class="reading">
          <bdi>{file.readings.find(reading => reading.encoding === encoding)?.words.join(', ')}</bdi>
        </span>
      )}
    </Choice>
    <p class="hint">
      If none is right, save the file as “CSV UTF-8” in the spreadsheet, and choose it again.
    </p>
  </>
)

const FATES = ['leave out', 'add too'] as const

/** What is read otherwise than it may be meant, and what is left out unless someone asks for it. */
export function Doubts({ run, onChoose }: { run: ImportRun; onChoose: (file: ImportFile) => void }) {
  const { file, doubtful } = run
  const { notRead, asked } = file
  const ask = (what: Doubtful, legend: string) =>
    doubtful[what].length > 0 && (
      <Choice
        legend={legend}
        name={what}
        values={FATES}
        value={asked.has(what) ? 'add too' : 'leave out'}
        onChange={fate => {
          const others = [...asked].filter(one => one !== what)
          onChoose({ ...file, asked: new Set(fate === 'add too' ? [...others, what] : others) })
        }}
      >
        {fate => <span>{capital(fate)}</span>}
      </Choice>
    )
  const { known, changed } = doubtful
  return (
    <>
      {notRead.length > 0 && (
        <div class="note note-unknown row nowrap">
          <Icon name="alert" />
          <p>
            Not read: {notRead.slice(0, MOST_NAMES).join(', ')}
            {notRead.length > MOST_NAMES && ` and ${grouped(notRead.length - MOST_NAMES)} more`}. An import
            reads the columns name, categoryId and status.
            {file.good.length > 0 &&
              file.good.every(({ pet }) => pet.status === 'available') &&
              ' All are read as available.'}
          </p>
        </div>
      )}
      {ask('known', `${grouped(known.length)} ${known.length === 1 ? 'is' : 'are'} already there`)}
      {ask(
        'changed',
        `Import cannot change animals; ${
          changed.length === 1
            ? 'this 1 would be added as a new one'
            : `these ${grouped(changed.length)} would be added as new ones`
        }`,
      )}
    </>
  )
}

export function CategoryQuestion({ file, onChoose }: Asking<ImportFile>) {
  const { unnumbered } = file
  if (unnumbered.length === 0) return null
  return (
    <fieldset class="field stack">
      <legend>
        {unnumbered.length === 1
          ? '1 category name has'
          : `${grouped(unnumbered.length)} category names have`}{' '}
        no number yet
      </legend>
      <p class="hint">
        Enter a number for each, which this browser then remembers, or leave it empty to leave its lines out.
      </p>
      <div class="names">
        {unnumbered.slice(0, MOST_NAMES).map(({ name, lines: count, typed, problem }, place) => (
          <TextField
            key={name}
            id={`number-${place}`}
            label={`Number of “${name}”`}
            hint={`in ${lines(count)}`}
            problem={typed.trim() === '' ? undefined : problem}
            defaultValue={typed}
            // Not at each key: the file is read again, and may be large.
            onChange={({ currentTarget: { value } }) =>
              onChoose({ ...file, answers: new Map(file.answers).set(name.toLowerCase(), value) })
            }
          />
        ))}
      </div>
      {unnumbered.length > MOST_NAMES && (
        <p class="hint">The lines of {counted(unnumbered.length - MOST_NAMES, 'other name')} are left out.</p>
      )}
    </fieldset>
  )
}

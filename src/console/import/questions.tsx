import { useState } from 'preact/hooks'
import type { Encoding, Reading } from '../../transfer/decode.ts'
import { Choice, TextField } from '../parts/fields.tsx'
import { grouped } from '../parts/labels.tsx'
import { useSettings } from '../session/session.ts'
import { type ImportFile, numberOf, problemWithNumber } from './import-file.ts'
import { lines } from './lines.tsx'

const MOST_NAMES = 8

const ENCODINGS: Readonly<Record<string, string>> = {
  'windows-1252': 'Western European (Windows)',
  'windows-1250': 'Central European (Windows)',
  'windows-1251': 'Cyrillic (Windows)',
  macintosh: 'Western European (Mac)',
}

/** A file whose bytes do not tell how its letters are to be read. */
export interface UnsureFile {
  readonly bytes: Uint8Array
  readonly name: string
  readonly readings: readonly Reading[]
  readonly chosen: Encoding
}

interface Asking<File> {
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
      value={file.chosen}
      onChange={chosen => onChoose({ ...file, chosen })}
    >
      {encoding => (
        <span class="reading">
          <bdi>{file.readings.find(reading => reading.encoding === encoding)?.words.join(', ')}</bdi>
          <span class="small dim">{ENCODINGS[encoding]}</span>
        </span>
      )}
    </Choice>
    <p class="hint">
      If none is right, save the file as “CSV UTF-8” in the spreadsheet, and choose it again.
    </p>
  </>
)

/** Asks for the numbers of category names that this browser does not know. */
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
        {unnumbered.slice(0, MOST_NAMES).map((category, place) => (
          <NumberField
            key={category.name}
            id={`number-${place}`}
            category={category}
            onAnswer={typed => onChoose(file.answer(category.name, typed))}
          />
        ))}
      </div>
      {unnumbered.length > MOST_NAMES && (
        <p class="hint">The lines of {grouped(unnumbered.length - MOST_NAMES)} more are left out.</p>
      )}
    </fieldset>
  )
}

interface NumberFieldProps {
  readonly id: string
  readonly category: ImportFile['unnumbered'][number]
  readonly onAnswer: (typed: string) => void
}

/** The file is read again when the field is left, not at each key: it may be large. */
function NumberField({ id, category: { name, lines: count, typed }, onAnswer }: NumberFieldProps) {
  const { categoryNames } = useSettings()
  const [text, setText] = useState(typed)
  return (
    <TextField
      id={id}
      label={`Number of “${name}”`}
      hint={`in ${lines(count)}`}
      problem={typed.trim() === '' ? undefined : problemWithNumber(numberOf(typed, categoryNames))}
      value={text}
      onInput={event => setText(event.currentTarget.value)}
      onChange={event => onAnswer(event.currentTarget.value)}
    />
  )
}

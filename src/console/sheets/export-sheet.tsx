import { useEffect, useState } from 'preact/hooks'
import type { PetstoreError } from '../../../client/src/index.ts'
import { LIMIT_MAX } from '../../contract/limits.ts'
import { csvLineOf, fileHead } from '../../transfer/pet-file.ts'
import { useListing } from '../list/listing.ts'
import { useNavigation } from '../list/view.ts'
import { environment } from '../page.ts'
import { FailureNote } from '../parts/failure.tsx'
import { Button, Check, Choice, save } from '../parts/fields.tsx'
import { animals, grouped } from '../parts/labels.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { connect, failureOf } from '../session/connect.ts'
import { useSession } from '../session/session.ts'

/** Long work continues automatically after temporary failures. */
const MAX_RETRIES = 5

const EXTENTS = ['these', 'all'] as const
type Extent = (typeof EXTENTS)[number]

/** The animals that are shown, or all, as one file. */
export function ExportSheet() {
  const { apiKey } = useSession()
  const { status, category, query } = useNavigation().view
  const { found, stored, isCounted } = useListing()
  const isPart = status !== undefined || category !== undefined || query !== ''
  const [extent, setExtent] = useState<Extent>(isPart ? 'these' : 'all')
  const [isForSpreadsheets, setForSpreadsheets] = useState(true)
  const [reading, setReading] = useState<AbortController>()
  const [news, setNews] = useState('')
  const [failure, setFailure] = useState<PetstoreError>()
  // Stops reading when the sheet is closed.
  useEffect(() => () => reading?.abort(), [reading])

  const start = async () => {
    const stopping = new AbortController()
    const { signal } = stopping
    const list = connect(apiKey, undefined, MAX_RETRIES).list({ limit: LIMIT_MAX }, { signal })
    // What is seen is what is saved.
    const pages = extent === 'these' ? [{ items: found }] : list.pages()
    const pieces: Blob[] = [new Blob([fileHead('csv', isForSpreadsheets)])]
    let count = 0
    setReading(stopping)
    setFailure(undefined)
    setNews(`${animals(count)} read…`)
    try {
      for await (const { items } of pages) {
        pieces.push(new Blob([items.map(pet => csvLineOf(pet, isForSpreadsheets)).join('')]))
        count += items.length
        setNews(`${animals(count)} read…`)
      }
      save(new Blob(pieces, { type: 'text/csv' }), fileName(extent))
      setNews(`${animals(count)} exported.`)
    } catch (error) {
      setNews(signal.aborted ? 'Stopped. Nothing was saved.' : '')
      if (!signal.aborted) setFailure(failureOf(error))
    }
    setReading(undefined)
  }

  const startOrStop = ({ detail }: MouseEvent) => {
    // The second click of a double click would stop what the first one started.
    if (detail > 1) return
    if (reading) reading.abort()
    else void start()
  }
  const footer = (
    <Button class={reading ? 'button push' : 'button button-primary push'} onClick={startOrStop}>
      {reading ? 'Stop the export' : failure ? 'Try again' : 'Export'}
    </Button>
  )
  return (
    <Sheet title="Export" footer={footer}>
      {isPart ? (
        <Choice legend="Animals, as CSV" name="extent" values={EXTENTS} value={extent} onChange={setExtent}>
          {value =>
            `${value} ${value === 'these' ? grouped(found.length) : isCounted ? grouped(stored) : ''}`
          }
        </Choice>
      ) : (
        <p class="muted">All {isCounted && grouped(stored)} animals, from the first to the newest, as CSV.</p>
      )}
      <Check
        id="for-spreadsheets"
        label="Safe to open in a spreadsheet"
        hint="Puts an apostrophe before names that a spreadsheet would run as a formula. Turn it off if you plan to import the file again."
        isChecked={isForSpreadsheets}
        onChange={setForSpreadsheets}
      />
      <p role="status">{news}</p>
      {failure && <FailureNote failure={failure} />}
    </Sheet>
  )
}

const fileName = (extent: Extent): string =>
  `petstore-${environment()}-${extent}-${new Date().toISOString().slice(0, 10)}.csv`

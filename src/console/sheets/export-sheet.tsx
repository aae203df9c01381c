import { useEffect, useRef, useState } from 'preact/hooks'
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
import { connect, failureOf, PATIENT } from '../session/connect.ts'
import { useSession } from '../session/session.ts'

type ExportState =
  | { readonly kind: 'choosing' | 'stopped' }
  | { readonly kind: 'reading' | 'saved'; readonly count: number }
  | { readonly kind: 'failed'; readonly failure: PetstoreError }

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
  const [state, setState] = useState<ExportState>({ kind: 'choosing' })
  const reading = useRef<AbortController>(undefined)
  // Stops reading when the sheet is closed.
  useEffect(() => () => reading.current?.abort(), [])

  const start = async () => {
    if (state.kind === 'reading') return
    const stopping = new AbortController()
    const { signal } = stopping
    reading.current = stopping
    const pieces: Blob[] = [new Blob([fileHead('csv', isForSpreadsheets)])]
    const list = connect(apiKey, undefined, PATIENT).list({ limit: LIMIT_MAX }, { signal })
    // What is seen is what is saved.
    const pages = extent === 'these' ? [{ items: found }] : list.pages()
    let count = 0
    setState({ kind: 'reading', count })
    try {
      for await (const { items } of pages) {
        pieces.push(new Blob([items.map(pet => csvLineOf(pet, isForSpreadsheets)).join('')]))
        count += items.length
        setState({ kind: 'reading', count })
      }
      save(new Blob(pieces, { type: 'text/csv' }), fileName(extent))
      setState({ kind: 'saved', count })
    } catch (error) {
      setState(signal.aborted ? { kind: 'stopped' } : { kind: 'failed', failure: failureOf(error) })
    }
  }

  const footer =
    state.kind === 'reading' ? (
      <Button look="wide" onClick={() => reading.current?.abort()}>
        Stop the export
      </Button>
    ) : (
      <Button look="primary wide" onClick={start}>
        {state.kind === 'failed' ? 'Try again' : 'Export'}
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
      <p role="status">
        {state.kind === 'reading' && `${animals(state.count)} read…`}
        {state.kind === 'saved' && `${animals(state.count)} exported.`}
        {state.kind === 'stopped' && 'Stopped. Nothing was saved.'}
      </p>
      {state.kind === 'failed' && <FailureNote failure={state.failure} />}
    </Sheet>
  )
}

const fileName = (extent: Extent): string =>
  `petstore-${environment()}-${extent}-${new Date().toISOString().slice(0, 10)}.csv`

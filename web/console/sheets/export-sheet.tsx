import { useState } from 'preact/hooks'
import { csvLineOf, fileHead } from '../../../src/transfer/pet-file.ts'
import { environment } from '../../page.ts'
import { useListing } from '../list/listing.ts'
import { Reading } from '../list/reading.tsx'
import { useNavigation } from '../list/view.ts'
import { Button, Choice, save } from '../parts/fields.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { animals, grouped } from '../parts/words.ts'
import { useSession } from '../session/session.ts'

const EXTENTS = ['these', 'all'] as const
type Extent = (typeof EXTENTS)[number]

export function ExportSheet() {
  const { index } = useSession()
  const { status, category, query } = useNavigation().view
  const { found, stored, isComplete } = useListing()
  const isPart = status !== undefined || category !== undefined || query !== ''
  const [extent, setExtent] = useState<Extent>(isPart ? 'these' : 'all')
  const [news, setNews] = useState('')

  const write = () => {
    // What is seen is what is saved.
    const pets = extent === 'these' ? found : index.pets
    const lines = pets.map(pet => csvLineOf(pet, true))
    save(new Blob([fileHead('csv', true), ...lines], { type: 'text/csv' }), fileName(extent))
    setNews(`${animals(pets.length)} exported.`)
  }
  const footer = (
    <Button class="button button-primary push" isOff={!isComplete} onClick={write}>
      Export
    </Button>
  )
  return (
    <Sheet title="Export" footer={footer}>
      {!isComplete ? (
        <Reading />
      ) : isPart ? (
        <Choice legend="Animals, as CSV" name="extent" values={EXTENTS} value={extent} onChange={setExtent}>
          {value => `${value} ${grouped(value === 'these' ? found.length : stored)}`}
        </Choice>
      ) : (
        <p class="muted">{stored > 1 ? `All ${animals(stored)}, oldest first` : animals(stored)}, as CSV.</p>
      )}
      <p class="hint">
        An apostrophe stands before names that a spreadsheet would run as a formula. Import takes it away.
      </p>
      <p role="status">{news}</p>
    </Sheet>
  )
}

const fileName = (extent: Extent): string =>
  `petstore-${environment()}-${extent}-${new Date().toISOString().slice(0, 10)}.csv`

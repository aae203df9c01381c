import { useState } from 'preact/hooks'
import { csvLineOf, fileHead } from '../../../src/transfer/pet-file.ts'
import { environment } from '../../page.ts'
import { useListing } from '../list/listing.ts'
import { Reading } from '../list/reading.tsx'
import { Button, Choice, save } from '../parts/fields.tsx'
import { Sheet } from '../parts/sheet.tsx'
import { animals, grouped } from '../parts/words.ts'
import { STEP } from '../parts/work.ts'
import { useSession } from '../session/session.ts'

const EXTENTS = ['these', 'all'] as const
type Extent = (typeof EXTENTS)[number]

export function ExportSheet() {
  const { index } = useSession()
  const { found, stored, isComplete, isBusy, isFiltered } = useListing()
  const isPart = isFiltered && found.length > 0
  const [chosen, setExtent] = useState<Extent>('these')
  const extent = isPart ? chosen : 'all'
  const [news, setNews] = useState('')

  const write = async () => {
    // What is seen is what is saved.
    const pets = extent === 'these' ? found : index.pets
    const parts = [fileHead('csv', true)]
    for (let at = 0; at < pets.length; at += STEP) {
      const lines = pets.slice(at, at + STEP).map(pet => csvLineOf(pet, true))
      parts.push(lines.join(''))
      // Lets the browser respond to people.
      await new Promise(resolve => setTimeout(resolve))
    }
    save(new Blob(parts, { type: 'text/csv' }), fileName(extent))
    setNews(`${animals(pets.length)} exported.`)
  }
  const footer = (
    <Button class="button button-primary push" autofocus isOff={!isComplete || isBusy} onClick={write}>
      Export
    </Button>
  )
  return (
    <Sheet title="Export" look="small" footer={footer}>
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
      <p role="status" class="live">
        {news}
      </p>
    </Sheet>
  )
}

const fileName = (extent: Extent): string =>
  `petstore-${environment()}-${extent}-${new Date().toISOString().slice(0, 10)}.csv`

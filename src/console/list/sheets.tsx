import { useEffect, useRef } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { AddAnimal } from '../add/add-animal.tsx'
import type { Additions } from '../add/additions.ts'
import type { ImportRun } from '../import/import-run.ts'
import { AnimalDetails, ExportSheet, HelpSheet, ImportSheet } from '../lazy-parts.ts'
import type { RecordedExchange } from '../request/exchange.ts'
import type { View } from '../view/view.ts'

/** What lies above the list: a sheet by its name, or an animal. */
export type Opened = 'add' | 'import' | 'export' | 'help' | Pet | undefined

interface Props {
  readonly opened: Opened
  readonly apiKey: string
  readonly additions: Additions
  readonly view: View
  readonly exchange: RecordedExchange | undefined
  readonly onChanged: () => void
  readonly onClose: () => void
}

export function Sheets({ opened, apiKey, additions, view, exchange, onChanged, onClose }: Props) {
  const importSlot = useRef<ImportRun>(null)
  // With the key that it uses an import ends too.
  useEffect(() => () => importSlot.current?.pause(), [])
  switch (opened) {
    case undefined:
      return null
    case 'add':
      return <AddAnimal apiKey={apiKey} additions={additions} onClose={onClose} />
    case 'import':
      return <ImportSheet apiKey={apiKey} slot={importSlot} onChanged={onChanged} onClose={onClose} />
    case 'export':
      return <ExportSheet apiKey={apiKey} view={view} onClose={onClose} />
    case 'help':
      return <HelpSheet onClose={onClose} />
    default:
      return <AnimalDetails pet={opened} exchange={exchange} onClose={onClose} />
  }
}

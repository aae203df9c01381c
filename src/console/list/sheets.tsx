import { useRef } from 'preact/hooks'
import type { Pet } from '../../../client/src/index.ts'
import { AddAnimal } from '../add/add-animal.tsx'
import type { Additions } from '../add/additions.ts'
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
  const importSlot = useRef<unknown>(undefined)
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

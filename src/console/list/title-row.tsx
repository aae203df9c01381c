import { useEffect, useRef } from 'preact/hooks'
import { useDensity } from './density.ts'
import { MoreMenu } from './more-menu.tsx'
import type { Opened } from './sheets.tsx'

interface Props {
  readonly isLoading: boolean
  readonly onRefresh: () => void
  readonly onAdd: () => void
  readonly onOpen: (opened: Opened) => void
}

export function TitleRow({ isLoading, onRefresh, onAdd, onOpen }: Props) {
  const title = useRef<HTMLHeadingElement>(null)
  const [isDense, toggleDensity] = useDensity()
  // The form that had the focus is gone; keyboard users continue from here.
  useEffect(() => title.current?.focus(), [])
  return (
    <div class="title-row">
      <h1 ref={title} tabIndex={-1}>
        Animals
      </h1>
      <div class="actions">
        <button
          type="button"
          class="button wide"
          aria-keyshortcuts="r"
          aria-disabled={isLoading}
          onClick={() => isLoading || onRefresh()}
        >
          Refresh
        </button>
        <MoreMenu
          items={[
            { label: 'Refresh the list', onPick: onRefresh },
            { label: 'Import…', onPick: () => onOpen('import') },
            { label: 'Export…', onPick: () => onOpen('export') },
            { label: isDense ? 'Comfortable rows' : 'Dense rows', onPick: toggleDensity },
            { label: 'Print', onPick: () => print() },
            { label: 'Help and shortcuts', onPick: () => onOpen('help') },
          ]}
        />
        <button type="button" class="button button-primary" aria-keyshortcuts="n" onClick={onAdd}>
          <span>
            Add<span class="roomy"> animal</span>
          </span>
        </button>
      </div>
    </div>
  )
}

import { useEffect, useRef, useState } from 'preact/hooks'
import { useWindowEvents } from '../parts/hooks.ts'

export interface MenuItem {
  readonly label: string
  readonly onPick: () => void
}

/** What is needed now and then: a menu button, as the ARIA pattern has it. */
export function MoreMenu({ items }: { items: readonly MenuItem[] }) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isOpen) menu.current?.querySelector('button')?.focus()
  }, [isOpen])
  useWindowEvents(['pointerdown'], ({ target }) => {
    if (target instanceof Node && !menu.current?.parentElement?.contains(target)) setOpen(false)
  })
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const all = [...(menu.current?.querySelectorAll('button') ?? [])]
    const at = all.findIndex(item => item === document.activeElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === 'Escape') close()
    else if (event.key === 'Tab') setOpen(false)
    else if (next !== undefined) all.at(next % all.length)?.focus()
    if (next !== undefined || event.key === 'Escape') event.preventDefault()
  }
  return (
    <div class="menu">
      <button
        ref={button}
        type="button"
        class="button"
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        More
      </button>
      {isOpen && (
        <div ref={menu} class="menu-items card" role="menu" aria-label="More" onKeyDown={move}>
          {items.map(({ label, onPick }) => (
            <button
              key={label}
              type="button"
              class="button button-quiet"
              role="menuitem"
              tabIndex={-1}
              onClick={() => {
                close()
                onPick()
              }}
            >
              {label}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

import { useEffect, useRef } from 'preact/hooks'

export interface MenuItem {
  readonly label: string
  readonly onPick: () => void
}

/** What is needed now and then. */
export function MoreMenu({ items }: { items: readonly MenuItem[] }) {
  const menu = useRef<HTMLDetailsElement>(null)
  useEffect(() => {
    const close = (event: Event) => {
      const isOutside = !(event.target instanceof Node && menu.current?.contains(event.target))
      const isEscape = event instanceof KeyboardEvent && event.key === 'Escape'
      if (menu.current?.open && (isEscape || (event.type === 'pointerdown' && isOutside)))
        menu.current.open = false
    }
    addEventListener('pointerdown', close)
    addEventListener('keydown', close)
    return () => {
      removeEventListener('pointerdown', close)
      removeEventListener('keydown', close)
    }
  }, [])
  const pick = (item: MenuItem) => {
    if (menu.current) menu.current.open = false
    item.onPick()
  }
  return (
    <details ref={menu} class="menu">
      <summary class="button">More</summary>
      <div class="menu-items">
        {items.map(item => (
          <button key={item.label} type="button" class="button button-quiet" onClick={() => pick(item)}>
            {item.label}
          </button>
        ))}
      </div>
    </details>
  )
}

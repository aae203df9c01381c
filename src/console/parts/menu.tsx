import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { useWindowEvents } from './hooks.ts'
import { Icon, type IconName } from './icon.tsx'

interface Picked {
  /** For one of several choices. Otherwise the item is a simple action. */
  readonly isOn?: boolean
  /** `narrow` for items that have their own button where there is room, `group` for the first of a group. */
  readonly look?: 'narrow' | 'group'
}

export type MenuItem = readonly [label: string, onPick: () => void, more?: Picked]

interface Props {
  readonly label: string
  readonly icon: IconName
  readonly look?: string
  readonly items: readonly MenuItem[]
  /** Shown in the button beside the icon. */
  readonly children?: ComponentChildren
}

/** A menu button that follows the ARIA pattern. */
export function Menu({ label, icon, look = 'button-square', items, children }: Props) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const menu = useRef<HTMLDivElement>(null)
  const visible = () =>
    [...(menu.current?.querySelectorAll('button') ?? [])].filter(item => item.offsetParent !== null)
  useEffect(() => {
    if (isOpen) visible()[0]?.focus()
  }, [isOpen])
  useWindowEvents(['pointerdown'], ({ target }) => {
    if (target instanceof Node && !button.current?.parentElement?.contains(target)) setOpen(false)
  })
  const close = () => {
    setOpen(false)
    button.current?.focus()
  }
  const move = (event: KeyboardEvent) => {
    const all = visible()
    const at = all.indexOf(document.activeElement as HTMLButtonElement)
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
        class={`button ${look}`}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        onKeyDown={event => {
          if (event.key !== 'ArrowDown') return
          event.preventDefault()
          setOpen(true)
        }}
      >
        <Icon name={icon} />
        {children}
      </button>
      {isOpen && (
        <div ref={menu} class="menu-items card" role="menu" aria-label={label} onKeyDown={move}>
          {items.map(([text, onPick, { isOn, look = '' } = {}]) => (
            <button
              key={text}
              type="button"
              class={`button button-quiet ${look}`}
              {...(isOn === undefined
                ? { role: 'menuitem' }
                : { role: 'menuitemradio', 'aria-checked': isOn })}
              tabIndex={-1}
              onClick={() => {
                close()
                onPick()
              }}
            >
              {text}
              {isOn && <Icon name="check" />}
            </button>
          ))}
        </div>
      )}
    </div>
  )
}

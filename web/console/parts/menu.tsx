import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useWindowEvents } from './hooks.ts'
import { Icon, type IconName } from './icon.tsx'

interface Picked {
  /** For one of several choices. */
  readonly isOn?: boolean
  /** For items that have their own button where there is room. */
  readonly look?: 'narrow'
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

/** Buttons below a button. The browser closes them on Escape or a click elsewhere, and returns the focus. */
export function Menu({ label, icon, look = '', items, children }: Props) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  // By the button's rectangle, because not all browsers can place it by the button itself.
  const place = () => {
    const { right = 0, bottom = 0 } = button.current?.getBoundingClientRect() ?? {}
    if (menu.current)
      menu.current.style.cssText = `--right: ${right + scrollX}px; --bottom: ${bottom + scrollY}px`
  }
  useWindowEvents(['resize'], place)
  return (
    <>
      <button
        ref={button}
        type="button"
        class={`button ${look}`}
        aria-label={label}
        title={label}
        popovertarget={id}
        onClick={place}
      >
        <Icon name={icon} />
        {children}
      </button>
      <div ref={menu} id={id} popover="auto" class="menu card">
        {items.map(([text, onPick, { isOn, look = '' } = {}]) => (
          <button
            key={text}
            type="button"
            class={`button button-quiet ${look}`}
            aria-pressed={isOn}
            onClick={() => {
              // First, so that the focus is back on the button, where a sheet returns it.
              menu.current?.hidePopover()
              onPick()
            }}
          >
            {text}
            {isOn && <Icon name="check" />}
          </button>
        ))}
      </div>
    </>
  )
}

import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { useNavigation } from '../list/view.ts'
import { Icon } from './icon.tsx'

interface Props {
  readonly title: ComponentChildren
  /** Without it, a panel as high as the window. */
  readonly look?: 'wide' | 'small'
  /** Nothing in it can be lost, so a click outside closes it. */
  readonly isOnlyShown?: boolean
  readonly children: ComponentChildren
  /** Stays in view while the rest scrolls. */
  readonly footer?: ComponentChildren
}

/** A sheet above the page. It takes the focus, and returns it when it closes. */
export function Sheet({ title, look, isOnlyShown = false, children, footer }: Props) {
  const { close } = useNavigation()
  const dialog = useRef<HTMLDialogElement>(null)
  // Before the next key press, which is meant for the sheet.
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    // A click outside the sheet hits the dialog itself, because its contents cover the rest.
    if (isOnlyShown) shown?.addEventListener('click', ({ target }) => target === shown && close())
    const first = shown?.querySelector<HTMLElement>(isOnlyShown ? 'h2' : '.sheet-body [type=text]')
    first?.focus()
    // Typing replaces what was left in the field.
    if (first instanceof HTMLInputElement) first.select()
    return () => shown?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={look ? `sheet sheet-${look}` : 'sheet'}
      aria-labelledby="sheet-title"
      // A file field in the sheet has such an event too, if no file is chosen.
      onCancel={({ target }) => target === dialog.current && close()}
      // A browser may close the dialog on Escape without asking.
      onClose={({ currentTarget }) => currentTarget.isConnected && close()}
    >
      <div class="sheet-head row nowrap spread">
        <h2 id="sheet-title" tabIndex={-1}>
          {title}
        </h2>
        <button type="button" class="button button-quiet sheet-close" aria-label="Close" onClick={close}>
          <Icon name="x" />
        </button>
      </div>
      <div class="sheet-body stack">{children}</div>
      {footer && <div class="sheet-foot row">{footer}</div>}
    </dialog>
  )
}

import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Longer than the time between the two clicks of a double click. */
const SETTLE_MS = 500

interface Props {
  readonly title: ComponentChildren
  readonly isWide?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** A sheet above the page. It takes the focus, and gives it back when it goes. */
export function Sheet({ title, isWide = false, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null)
  const isGone = useRef(false)
  useEffect(() => {
    const shown = dialog.current
    const focusedBefore = document.activeElement as HTMLElement | null
    shown?.showModal()
    const first = shown?.querySelector<HTMLElement>('[data-first]') ?? shown?.querySelector('input')
    first?.focus()
    return () => {
      isGone.current = true
      shown?.close()
      shieldFromSecondClick()
      const isUsable = focusedBefore?.isConnected && focusedBefore !== document.body
      const target = isUsable ? focusedBefore : document.querySelector<HTMLElement>('h1')
      target?.focus()
    }
  }, [])
  return (
    <dialog
      ref={dialog}
      class={`sheet ${isWide ? 'sheet-wide' : ''}`}
      aria-labelledby="sheet-title"
      onCancel={event => {
        event.preventDefault()
        onClose()
      }}
      // A browser may close it at the second Escape without asking.
      onClose={() => isGone.current || onClose()}
    >
      <div class="sheet-head">
        <h2 id="sheet-title">{title}</h2>
      </div>
      {children}
    </dialog>
  )
}

/**
 * What lies beneath a button that closes the sheet must not take the second click of two. The browser counts them; where it
 * begins anew, as the target is another, the time tells.
 */
function shieldFromSecondClick(): void {
  const { dataset } = document.documentElement
  dataset.settling = ''
  setTimeout(() => delete dataset.settling, SETTLE_MS)
  const swallow = (event: MouseEvent) => {
    if (event.detail > 1) event.stopPropagation()
    else removeEventListener('click', swallow, { capture: true })
  }
  addEventListener('click', swallow, { capture: true })
}

import { useEffect } from 'preact/hooks'

export type Shortcuts = Readonly<Record<string, () => void>>

/** Single keys, while nothing is being typed and no sheet is open. */
export function useShortcuts(shortcuts: Shortcuts): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { target, key, ctrlKey, metaKey, altKey } = event
      const isTyping = target instanceof Element && target.closest('input, textarea, select, dialog')
      const act = Object.hasOwn(shortcuts, key) ? shortcuts[key] : undefined
      if (
        act === undefined ||
        isTyping ||
        ctrlKey ||
        metaKey ||
        altKey ||
        document.querySelector('dialog[open]')
      )
        return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [shortcuts])
}

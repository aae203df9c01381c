import { useState } from 'preact/hooks'

const SHOWN_MS = 2000

/** Only pages from a safe origin may write to the clipboard; elsewhere there is no such button. */
export function CopyButton({ label, text }: { label: string; text: string }) {
  const [isCopied, setCopied] = useState(false)
  if (!navigator.clipboard) return null
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  return (
    <button type="button" class="button button-small" onClick={copy}>
      {isCopied ? 'Copied' : label}
    </button>
  )
}

import { visibleHint } from '../session/api-key.ts'
import { kept } from '../storage.ts'
import { all, one } from './elements.ts'

const HIDDEN_KEY = '••••••••'

/** Keeps a key until the tab is closed, or forgets it. */
export function setKey(key: string | undefined): void {
  kept.apiKey.set(key)
  showKey()
}

/** Masks the key in the samples. Forms say which key they use, or ask for one. */
export function showKey(): void {
  const key = kept.apiKey.get()
  for (const place of all('[data-key]')) {
    place.dataset.variable ??= place.textContent
    place.textContent = key === undefined ? place.dataset.variable : literalOf(place, HIDDEN_KEY)
    place.title = key === undefined ? '' : 'Your API key. It is copied, but not shown.'
  }
  for (const field of all('.try-key')) {
    const hadFocus = field.contains(document.activeElement)
    field.hidden = key !== undefined
    if (hadFocus && field.hidden) one('[type=submit]', field.closest('form') ?? document).focus()
  }
  for (const known of all('.try-known')) known.hidden = key === undefined
  for (const hint of all('.try-known code')) hint.textContent = visibleHint(key ?? '') || 'of this tab'
}

/** A sample ready to paste, with the reader's key. */
export function textOf(sample: HTMLElement): string {
  const key = kept.apiKey.get()
  const copy = sample.cloneNode(true) as HTMLElement
  if (key !== undefined)
    for (const place of all('[data-key]', copy)) place.textContent = literalOf(place, key)
  return copy.textContent
}

/** The key as the language of the sample writes it. */
const literalOf = ({ dataset }: HTMLElement, key: string): string =>
  dataset.variable?.startsWith('$') ? key.replaceAll(/["$`\\]/g, '\\$&') : JSON.stringify(key)

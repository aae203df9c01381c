import { baseUrl } from '../base-url.ts'
import { keptKey } from '../sign-in/kept-key.ts'
import { all } from './elements.ts'

const HIDDEN_KEY = '••••••••'

/** Puts this service's address into the samples, and covers the place of the key for a reader who is signed in. */
export function fillIn(): void {
  for (const place of all('[data-base]')) place.textContent = baseUrl
  const key = keptKey()
  for (const place of all('[data-key]')) {
    place.dataset.variable ??= place.textContent
    place.textContent = key === undefined ? place.dataset.variable : shownIn(place)
    place.title = key === undefined ? '' : 'Your API key. It is copied, but not shown.'
  }
}

const shownIn = ({ dataset }: HTMLElement): string =>
  dataset.key === 'shell' ? HIDDEN_KEY : JSON.stringify(HIDDEN_KEY)

/** A sample ready to paste, with the reader's key in it. */
export function textOf(sample: HTMLElement): string {
  const key = keptKey()
  if (key === undefined) return sample.textContent
  const copy = sample.cloneNode(true) as HTMLElement
  for (const place of all('[data-key]', copy))
    place.textContent = place.dataset.key === 'shell' ? inDoubleQuotes(key) : JSON.stringify(key)
  return copy.textContent
}

const inDoubleQuotes = (text: string): string => text.replaceAll(/["$`\\]/g, '\\$&')

import './reference.css'
import { kept } from '../storage.ts'
import { markCurrentSection } from './current-section.ts'
import { all } from './elements.ts'
import { offerSearch } from './search.ts'
import { offerTrying } from './try-it.ts'

const HIDDEN_KEY = '••••••••'

/** Puts this service's URL into the samples, and a masked key if the reader is signed in. */
function fillIn(): void {
  for (const place of all('.reference:not([data-has-address]) [data-address]'))
    place.textContent = new URL(place.dataset.address ?? '', document.baseURI).href.replace(/\/$/, '')
  const isSignedIn = kept.apiKey.get() !== undefined
  for (const place of all('[data-key]')) {
    place.dataset.variable ??= place.textContent
    place.textContent = isSignedIn ? literalOf(place, HIDDEN_KEY) : place.dataset.variable
    place.title = isSignedIn ? 'Your API key. It is copied, but not shown.' : ''
  }
}

/** The key as the language of the sample writes it. */
const literalOf = ({ dataset }: HTMLElement, key: string): string =>
  dataset.variable?.startsWith('$') ? key.replaceAll(/["$`\\]/g, '\\$&') : JSON.stringify(key)

/** A sample ready to paste, with the reader's key. */
function textOf(sample: HTMLElement): string {
  const key = kept.apiKey.get()
  const copy = sample.cloneNode(true) as HTMLElement
  if (key !== undefined)
    for (const place of all('[data-key]', copy)) place.textContent = literalOf(place, key)
  return copy.textContent
}

/** Only pages from a secure origin can write to the clipboard; elsewhere there is no button. */
function offerCopies(): void {
  if (navigator.clipboard === undefined) for (const button of all('.copy')) button.hidden = true
  document.addEventListener('click', ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('.copy') : null
    if (button !== null) void copy(button)
  })
}

/** Copies the sample that the button belongs to, or the URL of its operation. */
async function copy(button: HTMLElement): Promise<void> {
  const shown = all('pre', button.closest('figure') ?? button).find(sample => sample.offsetParent !== null)
  const base = document.querySelector('[data-address="v1"]')?.textContent ?? ''
  await navigator.clipboard.writeText(shown ? textOf(shown) : base + button.dataset.path)
  const word = button.lastElementChild
  if (word === null || word.textContent === 'Copied') return
  const before = word.textContent
  word.textContent = 'Copied'
  setTimeout(() => {
    word.textContent = before
  }, 2000)
}

/** One choice for all samples, kept in this browser. */
function offerLanguages(): void {
  const known = kept.language.get()
  const buttons = all<HTMLButtonElement>('[data-choose]')
  if (known && buttons.some(({ dataset }) => dataset.choose === known)) choose(known, buttons)
  for (const button of buttons)
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top
      const language = button.dataset.choose ?? ''
      kept.language.set(language)
      choose(language, buttons)
      // Samples above also change in length, so this keeps the pressed button in place.
      scrollBy(0, button.getBoundingClientRect().top - before)
    })
}

function choose(language: string, buttons: readonly HTMLButtonElement[]): void {
  for (const place of all('.reference')) place.dataset.language = language
  for (const button of buttons)
    button.setAttribute('aria-pressed', String(button.dataset.choose === language))
}

/** The page works without this; only the following needs JavaScript. */
fillIn()
offerLanguages()
offerCopies()
offerSearch()
markCurrentSection()
offerTrying(fillIn)

import { kept } from '../storage.ts'
import { all, element } from './elements.ts'

const MOST = 12

interface Entry {
  readonly place: HTMLElement
  readonly title: string
  /** The title of its section; empty for a section. */
  readonly within: string
  /** Its name, and words that readers know from elsewhere. */
  readonly words: string
  readonly text: string
}

/** Finds sections, parameters, fields and error codes: first by title, then by other words, then by text. */
export function offerSearch(): void {
  const box = document.querySelector<HTMLElement>('.search')
  const input = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLUListElement>('.found')
  const state = document.querySelector<HTMLElement>('#search-state')
  if (box === null || input === null || list === null || state === null) return
  const entries = all('[data-search]').map(entryOf)

  const show = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = words.length === 0 ? [] : matching(entries, words)
    list.replaceChildren(...found.map(entry => resultOf(entry, () => follow(entry, words))))
    list.hidden = words.length === 0
    state.textContent = words.length === 0 ? '' : `${found.length} found`
    if (words.length > 0 && found.length === 0) list.append(element('li', 'muted', 'Nothing found'))
  }
  const clear = (): void => {
    input.value = ''
    show()
  }
  /** Also keeps the focus, which the removed link may have, and chooses a language that was searched for. */
  const follow = ({ place }: Entry, words: readonly string[]): void => {
    place.focus({ preventScroll: true })
    clear()
    for (const choice of all('[data-choose]', place))
      if (words.includes(choice.dataset.choose ?? '')) choice.click()
  }

  input.addEventListener('input', show)
  input.addEventListener('focus', show)
  box.addEventListener('keydown', event => {
    const places = [input, ...all('a', list)]
    const at = places.findIndex(place => place.matches(':focus'))
    if (event.key === 'ArrowDown') places[(at + 1) % places.length]?.focus()
    else if (event.key === 'ArrowUp') places.at(at - 1)?.focus()
    else if (event.key === 'Enter' && at === 0) places[1]?.click()
    else if (event.key === 'Escape') {
      input.focus()
      clear()
    } else return
    event.preventDefault()
  })
  box.addEventListener('focusout', ({ relatedTarget }) => {
    if (relatedTarget instanceof Node && !box.contains(relatedTarget)) list.hidden = true
  })
  // As in the console, where single-key shortcuts can be turned off.
  if (Object(kept.settings.getJson()).hasShortcuts === false) return
  document.addEventListener('keydown', event => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
    event.preventDefault()
    input.focus()
  })
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input, select, textarea')

function entryOf(place: HTMLElement): Entry {
  const section = place.closest('.entry')
  const heading = section?.querySelector('h2 a')?.textContent ?? ''
  const isSection = place === section
  const text = isSection ? place.querySelector('.entry-head')?.textContent : place.textContent
  const words = place.dataset.search?.toLowerCase() ?? ''
  return {
    place,
    title: isSection ? heading : (place.querySelector('code')?.textContent ?? ''),
    within: isSection ? '' : heading,
    words,
    text: `${words} ${text} ${heading}`.toLowerCase(),
  }
}

function matching(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const begins = (text: string): boolean =>
    words.every(word => new RegExp(`(?<![a-z\\d])${word.replaceAll(/\W/g, '\\$&')}`).test(text))
  const rank = (entry: Entry): number => (begins(entry.title.toLowerCase()) ? 2 : Number(begins(entry.words)))
  return entries
    .filter(({ text }) => words.every(word => text.includes(word)))
    .toSorted((one, other) => rank(other) - rank(one))
    .slice(0, MOST)
}

function resultOf({ place, title, within }: Entry, onFollow: () => void): HTMLLIElement {
  const link = element('a', '', title, ...(within ? [element('div', 'small dim', within)] : []))
  link.href = `#${place.id}`
  link.addEventListener('click', onFollow)
  return element('li', '', link)
}

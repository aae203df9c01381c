import { kept } from '../storage.ts'
import { all, element, one } from './elements.ts'

const MOST = 12

/** Finds sections, parameters, fields and error codes: first by title, then by other words, then by text. */
export function offerSearch(): void {
  const box = one('.search')
  const input = one<HTMLInputElement>('#search')
  const list = one('.found')
  const entries = all('[data-search]').map(entryOf)

  const show = (): void => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean)
    const found = words.length === 0 ? [] : matching(entries, words)
    list.replaceChildren(...found.map(entry => resultOf(entry, () => follow(entry, words))))
    if (found.length === 0) list.append(element('li', 'muted', 'Nothing found'))
    list.hidden = words.length === 0
    one('#search-state').textContent = words.length === 0 ? '' : `${found.length} found`
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
    const isTyping = document.activeElement?.matches('input, select, textarea')
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
    event.preventDefault()
    input.focus()
  })
}

type Entry = ReturnType<typeof entryOf>

function entryOf(place: HTMLElement) {
  const section = place.closest<HTMLElement>('.entry') ?? place
  const heading = one('h2 a', section).textContent
  const isSection = place === section
  // Its name, and words that readers know from elsewhere.
  const words = place.dataset.search?.toLowerCase() ?? ''
  const text = (isSection ? one('.entry-head', place) : place).textContent
  return {
    place,
    title: isSection ? heading : one('code', place).textContent,
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

function resultOf({ place, title, within }: Entry, onFollow: () => void): HTMLElement {
  const link = element('a', '', title, element('div', 'small dim', within))
  link.setAttribute('href', `#${place.id}`)
  link.addEventListener('click', onFollow)
  return element('li', '', link)
}

import { kept } from '../storage.ts'
import { all, element } from './elements.ts'

const MOST = 12
/** Words that readers know from elsewhere, and the terms used in this reference. */
const SAME_AS: Readonly<Record<string, string>> = {
  pagination: 'pages',
  paging: 'pages',
  token: 'key',
  bearer: 'key',
  unauthorized: 'api_key',
  forbidden: 'api_key',
  throttling: 'rate',
  install: 'client',
  sdk: 'client',
}

interface Entry {
  readonly id: string
  readonly title: string
  /** The title of its section; empty for a section. */
  readonly within: string
  readonly text: string
}

/** Finds sections, parameters, fields and error codes, first by name and then by text. */
export function offerSearch(): void {
  const input = document.querySelector<HTMLInputElement>('#search')
  const list = document.querySelector<HTMLUListElement>('.found')
  const state = document.querySelector<HTMLElement>('#search-state')
  if (input === null || list === null || state === null) return
  const entries = all('[data-search]').map(entryOf)

  const show = (): void => {
    const words = input.value
      .toLowerCase()
      .split(/\s+/)
      .filter(Boolean)
      .map(word => SAME_AS[word] ?? word)
    const found = words.length === 0 ? [] : matching(entries, words)
    list.replaceChildren(...found.map(resultOf))
    list.hidden = words.length === 0
    state.textContent = words.length === 0 ? '' : `${found.length} found`
    if (words.length > 0 && found.length === 0) list.append(element('li', 'muted', 'Nothing found'))
  }
  const leave = (): void => {
    input.value = ''
    show()
  }

  input.addEventListener('input', show)
  input.addEventListener('keydown', event => {
    if (event.key === 'Enter') list.querySelector('a')?.click()
    else if (event.key === 'Escape') leave()
    else return
    event.preventDefault()
  })
  list.addEventListener('keydown', ({ key }) => {
    if (key !== 'Escape') return
    leave()
    input.focus()
  })
  list.addEventListener('click', leave)
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
  return {
    id: place.id,
    title: isSection ? heading : (place.querySelector('code')?.textContent ?? ''),
    within: isSection ? '' : heading,
    text: `${place.dataset.search} ${text} ${heading}`.toLowerCase(),
  }
}

function matching(entries: readonly Entry[], words: readonly string[]): Entry[] {
  const isNamed = ({ title }: Entry): boolean => title.toLowerCase().includes(words.join(' '))
  return entries
    .filter(({ text }) => words.every(word => text.includes(word)))
    .toSorted((one, other) => Number(isNamed(other)) - Number(isNamed(one)))
    .slice(0, MOST)
}

function resultOf({ id, title, within }: Entry): HTMLLIElement {
  const link = element('a', '', title, ...(within ? [element('div', 'small muted', within)] : []))
  link.href = `#${id}`
  return element('li', '', link)
}

import type { Element, HTMLElement, HTMLInputElement } from 'happy-dom'

export type Text = string | RegExp

/** The elements that have a role. */
export const ROLES: Readonly<Record<string, string>> = {
  alert: '[role=alert]',
  button: 'button, [role=button]',
  checkbox: '[type=checkbox]',
  dialog: 'dialog[open]',
  form: 'form',
  group: 'fieldset, [role=group]',
  heading: 'h1, h2, h3',
  link: 'a[href]',
  navigation: 'nav',
  radio: '[type=radio]',
  status: '[role=status]',
}

/** As far as that can be known without style sheets. */
export function isShown(element: Element): boolean {
  const folded = element.parentElement?.closest('details:not([open]) > :not(summary)')
  return !folded && !element.closest('[hidden], [popover]:not([data-is-open])')
}

export const plain = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

export const isIt = (said: string, wanted: Text, exact = false): boolean => {
  if (typeof wanted !== 'string') return wanted.test(said)
  return exact ? said === wanted : said.toLowerCase().includes(wanted.toLowerCase())
}

/** What a screen reader may call it: style sheets, which are missing here, say whether a blank is between two elements. */
export function namesOf(element: HTMLElement): string[] {
  const given = element.getAttribute('aria-label')
  if (given !== null) return [given]
  const labelled = element.ownerDocument.getElementById(element.getAttribute('aria-labelledby') ?? '')
  const legend = element.querySelector(':scope > legend')
  const [label = element] = (element as HTMLInputElement).labels ?? []
  const source = labelled ?? legend ?? label
  return ['', ' '].map(gap => plain(spoken(source as Element, gap)))
}

const spoken = (element: Element, gap: string): string =>
  [...element.childNodes]
    .filter(node => (node as Element).getAttribute?.('aria-hidden') !== 'true')
    .map(node => ('children' in node ? gap + spoken(node as Element, gap) + gap : node.textContent))
    .join('')

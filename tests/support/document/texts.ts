import type { Element } from 'happy-dom'

export type Text = string | RegExp

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

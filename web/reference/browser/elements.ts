export const all = <Kind extends HTMLElement>(selector: string, within: ParentNode = document): Kind[] => [
  ...within.querySelectorAll<Kind>(selector),
]

/** The first matching element. The service writes it into every reference. */
export function one<Kind extends HTMLElement>(selector: string, within: ParentNode = document): Kind {
  const found = within.querySelector<Kind>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}

export const all = <Kind extends HTMLElement>(selector: string, within: ParentNode = document): Kind[] => [
  ...within.querySelectorAll<Kind>(selector),
]

/** The first matching element. The service writes it into every reference. */
export function one<Kind extends HTMLElement>(selector: string, within: ParentNode = document): Kind {
  const found = within.querySelector<Kind>(selector)
  if (found === null) throw new Error(`The page has no ${selector}.`)
  return found
}

/** A new element with its class and contents. The contents are text and never become markup. */
export function element(name: string, className: string, ...contents: (string | Node)[]): HTMLElement {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...contents)
  return made
}

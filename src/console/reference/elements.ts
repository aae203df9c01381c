/** The matching elements in the page, or in a part of it. */
export const all = <Kind extends HTMLElement>(selector: string, within: ParentNode = document): Kind[] => [
  ...within.querySelectorAll<Kind>(selector),
]

/** A new element with its class and contents. The contents are text and never become markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...contents: readonly (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...contents)
  return made
}

export function button(label: string, onClick: () => void): HTMLButtonElement {
  const made = element('button', 'button button-small', label)
  made.type = 'button'
  made.addEventListener('click', onClick)
  return made
}

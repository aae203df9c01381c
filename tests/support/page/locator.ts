import type { UserEvent } from '@testing-library/user-event'
import type { Element, HTMLElement, HTMLInputElement } from 'happy-dom'
import { eventually } from '../process.ts'

const ROLES = {
  alert: '[role=alert]',
  button: 'button, summary, [role=button]',
  checkbox: '[type=checkbox]',
  dialog: 'dialog[open]',
  field: 'input, select, textarea',
  heading: 'h1, h2, h3',
  link: 'a[href]',
  radio: '[type=radio]',
  status: '[role=status]',
} as const

/** Finds elements whenever it is asked. What needs one waits until exactly one is there. */
export class Locator {
  readonly user: UserEvent
  readonly what: string
  readonly find: () => HTMLElement[]

  constructor(user: UserEvent, what: string, find: () => HTMLElement[]) {
    this.user = user
    this.what = what
    this.find = find
  }

  #among(selector: string, what: string, matches: (element: HTMLElement) => boolean): Locator {
    const found = () => this.find().flatMap(place => [...place.querySelectorAll(selector)] as HTMLElement[])
    return new Locator(this.user, `${this.what} > ${what}`, () => found().filter(matches))
  }

  role(role: keyof typeof ROLES, name: string | RegExp = /^/): Locator {
    return this.#among(ROLES[role], `${role} ${name}`, element => isIt(nameOf(element), name))
  }

  button(name: string | RegExp): Locator {
    return this.role('button', name)
  }

  field(name: string | RegExp): Locator {
    return this.role('field', name)
  }

  /** The innermost elements with this text. */
  text(text: string | RegExp): Locator {
    const isInnermost = (element: HTMLElement) =>
      ![...element.children].some(inner => isIt(textOf(inner), text))
    return this.#among('*', `“${text}”`, element => isIt(textOf(element), text) && isInnermost(element))
  }

  css(selector: string): Locator {
    return this.#among(selector, selector, () => true)
  }

  /** Only those that contain this text. */
  with(text: string): Locator {
    const found = () => this.find().filter(one => one.textContent.includes(text))
    return new Locator(this.user, `${this.what} with ${text}`, found)
  }

  one(): Promise<HTMLElement> {
    const only = () => {
      const [first, second] = this.find()
      return second ? undefined : first
    }
    return eventually(`exactly one ${this.what}`, only)
  }

  gone(): Promise<true> {
    return eventually(`no ${this.what}`, () => this.find().length === 0 || undefined)
  }

  get count(): number {
    return this.find().length
  }

  /** The text of each, as it is now. */
  get texts(): string[] {
    return this.find().map(textOf)
  }

  async said(): Promise<string> {
    return textOf(await this.one())
  }

  async value(): Promise<string> {
    return ((await this.one()) as HTMLInputElement).value
  }

  async attribute(name: string): Promise<string | null> {
    return (await this.one()).getAttribute(name)
  }

  async click(): Promise<void> {
    await this.user.click((await this.one()) as never)
  }

  async doubleClick(): Promise<void> {
    await this.user.dblClick((await this.one()) as never)
  }

  async focus(): Promise<void> {
    ;(await this.one()).focus()
  }

  hasFocus(): Promise<true> {
    const isFocused = (one: HTMLElement) => one.ownerDocument.activeElement === one
    return eventually(`the focus on ${this.what}`, () => this.find().some(isFocused) || undefined)
  }

  /** Types this in place of what was there. */
  async fill(text: string): Promise<void> {
    const field = (await this.one()) as never
    await this.user.clear(field)
    if (text !== '') await this.user.type(field, text.replaceAll(/[{[]/g, '$&$&'))
  }

  async choose(option: string): Promise<void> {
    await this.user.selectOptions((await this.one()) as never, option)
  }

  async upload(file: File): Promise<void> {
    await this.user.upload((await this.one()) as never, file)
  }
}

const textOf = (element: Element): string => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim()

/** What a screen reader calls it. */
function nameOf(element: HTMLElement): string {
  const labels = (element as HTMLInputElement).labels ?? []
  return element.getAttribute('aria-label') ?? ([...labels].map(textOf).join(' ') || textOf(element))
}

/** A string is the whole text. */
const isIt = (said: string, wanted: string | RegExp): boolean =>
  typeof wanted === 'string' ? said === wanted : wanted.test(said)

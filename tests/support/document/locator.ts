import { queryAllByLabelText, queryAllByRole } from '@testing-library/dom'
import type { Element, HTMLElement, HTMLInputElement, KeyboardEvent } from 'happy-dom'
import { eventually } from '../process.ts'
import type { DocumentPage } from './page.ts'
import { isIt, isShown, plain, type Text } from './texts.ts'

type Select = (root: Element) => HTMLElement[]

interface Named {
  readonly name?: Text
  readonly exact?: boolean
  readonly level?: number
}

/** Finds elements whenever it is asked, as Playwright's locators do: what needs one waits until exactly one is there. */
export class DocumentLocator {
  readonly #page: DocumentPage
  readonly #what: string
  readonly #select: Select

  /** A page is the locator of all that is in it. */
  constructor(page?: DocumentPage, what = 'the page', select: Select = root => [root as HTMLElement]) {
    this.#page = page ?? (this as unknown as DocumentPage)
    this.#what = what
    this.#select = select
  }

  #then(what: string, next: Select): DocumentLocator {
    const select = (root: Element) => [...new Set(this.#select(root).flatMap(next))]
    return new DocumentLocator(this.#page, `${this.#what} > ${what}`, select)
  }

  locator(selector: string, { hasText }: { hasText?: Text } = {}): DocumentLocator {
    const relative = selector.replace(/^>/, ':scope >').replace(':popover-open', '[data-is-open]')
    const all = this.#then(selector, root => [...root.querySelectorAll(relative)] as HTMLElement[])
    return hasText === undefined ? all : all.filter({ hasText })
  }

  getByRole(role: string, { name = /^/, exact, ...state }: Named = {}): DocumentLocator {
    const options = { name: (said: string) => isIt(plain(said), name, exact), hidden: true, ...state }
    return this.#then(`${role} ${name}`, root =>
      (queryAllByRole(root as never, role, options) as never as HTMLElement[]).filter(
        element => isShown(element) && !element.closest('[aria-hidden=true]'),
      ),
    )
  }

  /** The innermost elements with this text. */
  getByText(text: Text, { exact = false } = {}): DocumentLocator {
    const has = (element: Element) => isIt(plain(element.textContent), text, exact)
    const innermost = (element: Element): HTMLElement[] => {
      const isOne = has(element)
      // Only a part of a text is also in all that is around it.
      if (!isOne && typeof text === 'string' && !exact) return []
      const inner = [...element.children].flatMap(innermost)
      return isOne && inner.length === 0 ? [element as HTMLElement] : inner
    }
    return this.#then(`“${text}”`, innermost)
  }

  getByLabel(text: Text, { exact = false } = {}): DocumentLocator {
    const isMeant = (said: string) => isIt(said, text, exact)
    return this.#then(
      `label ${text}`,
      root => queryAllByLabelText(root as never, isMeant) as never as HTMLElement[],
    )
  }

  filter({ hasText, has }: { hasText?: Text; has?: DocumentLocator }): DocumentLocator {
    const holds = (one: HTMLElement) =>
      (hasText === undefined || isIt(plain(one.textContent), hasText)) &&
      (!has || has.#select(one).length > 0)
    return this.#then('some', one => [one as HTMLElement].filter(holds))
  }

  nth(place: number): DocumentLocator {
    const select = (root: Element) => this.#select(root).slice(place).slice(0, 1)
    return new DocumentLocator(this.#page, `${this.#what} at ${place}`, select)
  }

  readonly first = () => this.nth(0)

  #found(): HTMLElement[] {
    return this.#select(this.#page.root)
  }

  #one(isFit: (element: HTMLElement) => boolean = () => true): Promise<HTMLElement> {
    const only = () => {
      const [first, second] = this.#found()
      if (second) throw new Error(`More than one ${this.#what}: ${this.#found().map(one => one.outerHTML)}`)
      return first && isFit(first) ? first : undefined
    }
    return eventually(this.#what, only)
  }

  /** One that a person could use now: neither off nor beneath a dialog. */
  #usable(force = false): Promise<HTMLElement> {
    return this.#one(element => {
      const open = this.#page.openDialog
      const isOff = element.matches('[aria-disabled=true], :disabled')
      return isShown(element) && (force || (!isOff && (!open || open.contains(element))))
    })
  }

  async waitFor({ state = 'visible' }: { state?: string } = {}): Promise<void> {
    if (state !== 'detached') return void (await this.#one(state === 'attached' ? undefined : isShown))
    await eventually(`no ${this.#what}`, () => this.#found().length === 0 || undefined)
  }

  readonly count = async () => this.#found().length
  readonly isVisible = async () => this.#found().some(isShown)
  readonly textContent = async () => (await this.#one()).textContent
  readonly innerText = async () => (await this.#one()).textContent.trim()
  readonly allTextContents = async () => this.#found().map(one => one.textContent)
  readonly allInnerTexts = async () => this.#found().map(one => one.textContent.trim())
  readonly inputValue = async () => ((await this.#one()) as HTMLInputElement).value
  readonly getAttribute = async (name: string) => (await this.#one()).getAttribute(name)
  readonly focus = async () => (await this.#one()).focus()

  async click({ force = false } = {}): Promise<void> {
    await this.#page.act(async user => user.click((await this.#usable(force)) as never))
  }

  /** Too quick for a response to come between the clicks. */
  async dblclick(): Promise<void> {
    const target = await this.#usable()
    await this.#page.act(user => user.setup({ delay: null }).dblClick(target as never))
  }

  async #setChecked(isChecked: boolean): Promise<void> {
    const box = (await this.#usable()) as HTMLInputElement
    if (box.checked !== isChecked) await this.#page.act(user => user.click(box as never))
  }

  readonly check = () => this.#setChecked(true)
  readonly uncheck = () => this.#setChecked(false)

  async press(key: string): Promise<void> {
    await this.focus()
    await this.#page.keyboard.press(key)
  }

  async pressSequentially(text: string, { delay = 0 } = {}): Promise<void> {
    await this.focus()
    for (const letter of text) {
      await this.#page.keyboard.type(letter)
      if (delay > 0) await Bun.sleep(delay)
    }
  }

  /** Replaces what is in the field in one step. */
  async fill(text: string): Promise<void> {
    const field = (await this.#usable()) as HTMLInputElement
    const { Event } = this.#page.window
    field.focus()
    field.value = text
    const commit = () => void field.dispatchEvent(new Event('change', { bubbles: true }))
    field.addEventListener('blur', commit, { once: true })
    field.addEventListener('keydown', event => (event as KeyboardEvent).key === 'Enter' && commit())
    await this.#page.act(async () => void field.dispatchEvent(new Event('input', { bubbles: true })))
  }

  async selectOption(option: string): Promise<void> {
    await this.#page.act(async user => user.selectOptions((await this.#usable()) as never, option))
  }

  async dispatchEvent(type: string): Promise<void> {
    const { Event } = this.#page.window
    ;(await this.#one()).dispatchEvent(new Event(type, { bubbles: true, cancelable: true }))
  }
}

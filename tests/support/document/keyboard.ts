import type { DocumentPage } from './page.ts'

/** Keys by the names that Playwright has for them; a letter is its own name. */
export class Keyboard {
  readonly #page: DocumentPage
  readonly #down = new Set<string>()

  constructor(page: DocumentPage) {
    this.#page = page
  }

  /** What user-event would read as the name of a key is typed as it is. */
  type(text: string): Promise<void> {
    return this.#page.act(user => user.keyboard(text.replaceAll(/[{[]/g, '$&$&')))
  }

  press(combination: string): Promise<void> {
    if (combination === 'Control+V') return this.#page.act(user => user.paste())
    if (combination === 'Tab') return this.#tab()
    const [key = '', held] = combination.split('+').toReversed()
    const pressed = key.length > 1 ? `{${key}}` : key
    return this.#page.act(user => user.keyboard(held ? `{${held}>}${pressed}{/${held}}` : pressed))
  }

  async #tab(): Promise<void> {
    const { document } = this.#page.window
    const before = document.activeElement
    await this.#page.act(user => user.tab())
    // After the last place of a dialog come the browser's own controls.
    if (document.activeElement === before) before?.blur()
  }

  async down(key: string): Promise<void> {
    const { document, KeyboardEvent } = this.#page.window
    const again = new KeyboardEvent('keydown', { key, repeat: true, bubbles: true, cancelable: true })
    const press = () => this.#page.act(user => user.keyboard(`{${key}>}`))
    // A key that is held acts again, unless the page forbids it.
    if (!this.#down.has(key) || document.activeElement?.dispatchEvent(again)) await press()
    this.#down.add(key)
  }

  up(key: string): Promise<void> {
    this.#down.delete(key)
    return this.#page.act(user => user.keyboard(`{/${key}}`))
  }
}

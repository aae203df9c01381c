import { expect } from 'bun:test'
import { API_KEY } from '../http.ts'
import { eventually } from '../process.ts'
import type { Driver } from './drivers.ts'

/** These run in the page. */
export const IS_READ = `document.querySelector('.list[aria-busy=false]')`
export const FOCUSED = `(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()`
export const OUTLINE = `getComputedStyle(document.activeElement.closest('.segment, tr') ?? document.activeElement).outlineStyle`

/** The one page of a browser, and what a person does with it. */
export class OnePage {
  readonly #driver: Driver
  readonly #site: string

  constructor(driver: Driver, site: string) {
    this.#driver = driver
    this.#site = site
  }

  open(path: string): Promise<unknown> {
    return this.#driver.open(this.#site + path)
  }

  async evaluate<Value>(expression: string): Promise<Value> {
    const wrapped = `(async () => ({ value: await (${expression}) }))().catch(error => ({ error: String(error) }))`
    const { value, error } = JSON.parse((await this.#driver.textOf(`${wrapped}.then(JSON.stringify)`)) ?? '')
    if (error) throw new Error(`${error} in ${expression}`)
    return value
  }

  /** Waits until an expression is true in the page. */
  async until(expression: string): Promise<void> {
    await eventually(expression, async () => (await this.evaluate(`!!(${expression})`)) || undefined, 20_000)
  }

  press(...keys: readonly string[]): Promise<unknown> {
    return this.#driver.press(...keys)
  }

  type(text: string): Promise<unknown> {
    return this.#driver.press(...text)
  }

  /** Clicks what begins with this text and is not covered, in the menu or sheet that is open, or in the page. */
  async click(text: string): Promise<void> {
    const place = () => this.evaluate<[number, number] | null>(PLACE(text))
    await this.#driver.click(...(await eventually(text, async () => (await place()) ?? undefined, 20_000)))
  }

  clickAt(x: number, y: number): Promise<unknown> {
    return this.#driver.click(x, y)
  }

  async resize(width: number, height = 900): Promise<void> {
    await this.#driver.resize(width, height)
    await this.until(`innerWidth === ${width}`)
  }

  /** A tab in which nothing was done, except that the key was entered. */
  async openSignedIn(path: string, width: number): Promise<void> {
    await this.resize(width)
    await this.open('/docs')
    await this.evaluate('[sessionStorage, localStorage].map(one => one.clear())')
    await this.evaluate(`sessionStorage.setItem('petstore-api-key', '${API_KEY}')`)
    await this.open(path)
    await this.until(IS_READ)
  }

  /** Presses Tab until what begins with this text has the focus, which must be visible. */
  async tabTo(text: string, tab = 'Tab'): Promise<void> {
    let focused = ''
    for (let presses = 0; presses < 100 && !focused.startsWith(text); presses++) {
      await this.press(tab)
      focused = await this.evaluate(FOCUSED)
    }
    expect([focused, await this.evaluate<string>(OUTLINE)]).toEqual([expect.stringContaining(text), 'solid'])
  }

  close(): Promise<unknown> {
    return this.#driver.close()
  }
}

/** Runs in the page: where to click, once that does not move any more. */
const PLACE = (text: string): string => `(async () => {
  const open = document.querySelector(':popover-open, dialog[open]') ?? document
  const isMeant = one => (one.ariaLabel ?? one.innerText).trim().toLowerCase().startsWith(${JSON.stringify(text.toLowerCase())})
  const one = [...open.querySelectorAll('button, a, summary, label')].find(one => one.checkVisibility() && isMeant(one))
  one?.scrollIntoView({ block: 'nearest' })
  const before = one?.getBoundingClientRect().top
  await new Promise(requestAnimationFrame)
  const { left = 0, top = 0, width = 0, height = 0 } = one?.getBoundingClientRect() ?? {}
  const [x, y] = [left + width / 2, top + height / 2]
  return top === before && one?.contains(document.elementFromPoint(x, y)) ? [x, y] : null
})()`

import { Window } from 'happy-dom'
import { type ComponentChild, h, render } from 'preact'
import { act } from 'preact/test-utils'
import type { Pet } from '../../client/src/index.ts'
import { ListingProvider } from '../../web/console/list/listing.ts'
import { NavigationProvider } from '../../web/console/list/view.ts'
import { BrowserSettings, SessionProvider, SettingsProvider } from '../../web/console/session/session.ts'
import { kept } from '../../web/storage.ts'

/** Globals that belong to the window of a page, even if the runtime has them too. */
const OF_WINDOW = [
  ...['window', 'document', 'history', 'location', 'navigator', 'sessionStorage', 'localStorage'],
  ...['Element', 'HTMLInputElement', 'MutationObserver', 'Event', 'KeyboardEvent', 'MouseEvent'],
  ...['addEventListener', 'dispatchEvent', 'scrollX', 'scrollY'],
]
/** The runtime's own globals. Tests also replace `fetch`. */
const usual = [...OF_WINDOW, 'fetch'].map(
  name => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
)
/** At least ten seconds, a millisecond each. */
const MOST_LOOKS = 10_000
let page: Window | undefined

/** Opens an empty page for parts of the console. This file is type-checked with `web/`, which knows the types of a page. */
export function openPage(address = ''): void {
  page = new Window({ url: `http://store/${address}` })
  for (const name of OF_WINDOW)
    Object.defineProperty(globalThis, name, {
      value: page[name as 'document'],
      configurable: true,
      writable: true,
    })
}

/** Closes the page, and restores all globals. */
export async function closePage(): Promise<void> {
  await act(() => render(null, document.body))
  for (const entry of Object.values(kept)) entry.set(undefined)
  await page?.happyDOM.close()
  for (const [name, descriptor] of usual)
    if (descriptor) Object.defineProperty(globalThis, name, descriptor)
    else Reflect.deleteProperty(globalThis, name)
}

/** Values that a part of the console takes from the parts around it. A test gives only those that matter to it. */
interface Around {
  readonly navigation?: object
  readonly settings?: BrowserSettings
  readonly session?: object | undefined
  readonly listing?: object
}

/** Shows a part of the console, alone on the page, and runs its effects. */
export function draw(part: ComponentChild, around: Around = {}): Promise<void> {
  const { navigation = {}, settings = new BrowserSettings(), session = {}, listing = {} } = around
  const inListing = h(ListingProvider, { value: listing as never }, part)
  const inSession = h(SessionProvider, { value: session as never }, inListing)
  const inSettings = h(SettingsProvider, { value: settings }, inSession)
  const inNavigation = h(NavigationProvider, { value: navigation as never }, inSettings)
  return act(() => render(inNavigation, document.body))
}

export const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)]
export const texts = (selector: string) => all(selector).map(one => one.textContent)

/** Clicks the first of the elements that contains this text. */
export function click(selector: string, text = ''): Promise<void> {
  const one = all(selector).find(({ textContent }) => textContent.includes(text))
  if (!one) throw new Error(`There is no ${selector} ${text}.`)
  return act(() => one.click())
}

/** Presses a key; returns whether the page keeps it from the browser. */
export function press(key: string, on: EventTarget, held: KeyboardEventInit = {}): boolean {
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true, ...held })
  act(() => void on.dispatchEvent(event))
  return event.defaultPrevented
}

/** Lets the page show the results of requests, until the expected one is there. The runtime would not end an endless loop. */
export async function until(isThere: () => unknown): Promise<void> {
  for (let looks = 0; !isThere(); looks++) {
    if (looks === MOST_LOOKS) throw new Error(`This is still not so: ${isThere}`)
    await act(() => Bun.sleep(1))
  }
}

export const pet = (id: number, category = 7): Pet => ({
  id: BigInt(id),
  name: `No. ${id}`,
  categoryId: BigInt(category),
  status: 'sold',
})

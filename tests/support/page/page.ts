import { userEvent } from '@testing-library/user-event'
import { type ErrorEvent, Event, type HTMLAnchorElement, Window } from 'happy-dom'
import { API_KEY } from '../http.ts'
import { Locator } from './locator.ts'

/** What a page takes from its window although the runtime has it too. */
const OF_WINDOW =
  'navigator Event addEventListener removeEventListener setTimeout clearTimeout setInterval clearInterval'
const OWN = new Set(OF_WINDOW.split(' '))

/** Each script that was served, compiled once. As a module, it is strict; only the scope around it cannot be. */
const scripts = new Map<string, Promise<(scope: object) => void>>()
const compile = async (url: string): Promise<(scope: object) => void> => {
  const code = await (await fetch(url)).text()
  return new Function('scope', `with (scope) { (() => { 'use strict'; ${code} })() }`) as (
    scope: object,
  ) => void
}

/** Sends a request of the page. */
export type Send = (request: Request) => Promise<Response>

export interface PageOptions {
  /** Entered in this tab before. */
  readonly key?: string
  /** How many times sooner its timers end. */
  readonly speed?: number
}

/** A page that the service serves, with the script that it serves, in a document without a browser: nothing has a place or a colour. */
export class Page extends Locator {
  readonly window: Window
  /** What it saved: the name of each file, and its text. */
  readonly saved: { readonly name: string; readonly text: Promise<string> }[] = []
  /** May hold, lose or replace what the page sends. */
  network = (request: Request, send: Send): Promise<Response> => send(request)
  #isOnline = true
  readonly #thrown: unknown[] = []

  private constructor(window: Window) {
    super(userEvent.setup({ document: window.document as never }), 'the page', () => [window.document.body])
    this.window = window
    const { saved } = this
    window.HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
      saved.push({ name: this.download, text: fetch(this.href).then(file => file.text()) })
    }
    window.addEventListener('error', event => this.#thrown.push((event as ErrorEvent).error))
    // It has no popovers, so every menu is always open.
    Object.assign(window.HTMLElement.prototype, { hidePopover: () => {} })
    Object.defineProperty(window.navigator, 'onLine', { get: () => this.#isOnline })
  }

  static async open(url: string, { key, speed = 1 }: PageOptions = {}): Promise<Page> {
    const html = await (await fetch(url)).text()
    const [, script = ''] = /src="(assets\/[^"]+\.js)"/.exec(html) ?? []
    // Its name changes with its contents.
    const run = scripts.get(script) ?? compile(new URL(script, url).href)
    scripts.set(script, run)
    const window = new Window({ url, settings: { disableComputedStyleRendering: true } })
    window.document.write(html)
    if (key !== undefined) window.sessionStorage.setItem('petstore-api-key', key)
    const page = new Page(window)
    const given: Record<PropertyKey, unknown> = {
      fetch: (...sent: ConstructorParameters<typeof Request>) => page.#send(new Request(...sent)),
      setTimeout: (act: () => void, ms = 0) => window.setTimeout(act, ms / speed),
      setInterval: (act: () => void, ms = 0) => window.setInterval(act, ms / speed),
    }
    const scope = new Proxy(window, {
      has: (_, name) => name in given || (name in window && (OWN.has(String(name)) || !(name in globalThis))),
      get: (_, name) => {
        const value: unknown = given[name] ?? Reflect.get(window, name)
        const isMethod = typeof value === 'function' && /^[a-z]/.test(String(name))
        return isMethod ? value.bind(window) : value
      },
    })
    ;(await run)(scope)
    return page
  }

  #send(request: Request): Promise<Response> {
    if (!this.#isOnline) return Promise.reject(new TypeError('Failed to fetch'))
    return this.network(request, asked => fetch(asked))
  }

  setOnline(isOnline: boolean): void {
    this.#isOnline = isOnline
    this.window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'))
  }

  get address(): string {
    return this.window.location.href.slice(this.window.location.origin.length)
  }

  /** Types with the keyboard, in the notation of user-event: `{Enter}` is a key. */
  press(keys: string): Promise<void> {
    return this.user.keyboard(keys)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.window.happyDOM.close()
    if (this.#thrown.length > 0) throw new Error('The page threw.', { cause: this.#thrown[0] })
  }
}

export const openConsole = (url: string, path = '/', options: PageOptions = {}): Promise<Page> =>
  Page.open(url + path, { key: API_KEY, ...options })

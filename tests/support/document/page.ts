import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createClock } from '@sinonjs/fake-timers'
import { type UserEvent, userEvent } from '@testing-library/user-event'
import { type ErrorEvent, type HTMLElement, type HTMLInputElement, Window } from 'happy-dom'
import { eventually, freshFolder } from '../process.ts'
import { behave } from './behaviour.ts'
import { Keyboard } from './keyboard.ts'
import { DocumentLocator } from './locator.ts'
import { type Rule, send } from './network.ts'

/** What a page takes from its window although the runtime has it too. */
const OF_WINDOW = new Set(
  'navigator Event File addEventListener removeEventListener dispatchEvent'.split(' '),
)

type Run = (scope: object) => unknown
/** `code` sees the names of a scope. Only that needs `with`, so only that is not strict. */
const within = (code: string): Run => new Function('scope', `with (scope) { return ${code} }`) as Run

/** Each script that was served, compiled once. */
const scripts = new Map<string, Promise<Run>>()
const compile = async (url: string): Promise<Run> =>
  within(`(() => { 'use strict'; ${await (await fetch(url)).text()} })()`)

interface ChosenFile {
  readonly name: string
  readonly mimeType: string
  readonly buffer: Buffer
}

type Listener = [name: string, act: (event: never) => void]

/** What moves the timers of a page: as real time passes, and further on demand. */
function clockOf(timers: ReturnType<typeof createClock>) {
  let seen = performance.now()
  const pass = () => {
    const now = performance.now()
    // On a busy machine, less: a timer never acts twice before the page has shown what it did.
    timers.tick(Math.min(now - seen, 100))
    seen = now
  }
  const ticking = setInterval(pass, 2)
  const fastForward = async (ms: number) => {
    timers.jump(ms)
    await Bun.sleep(1)
  }
  return { install: async () => {}, fastForward, stop: () => clearInterval(ticking) }
}

/**
 * A page that the service serves, with the script that it serves, in a document without a browser: nothing has a place or a colour.
 * It has those parts of Playwright's pages that the tests of `tests/console/` use.
 */
export class DocumentPage extends DocumentLocator {
  window = new Window()
  clock = clockOf(createClock())
  readonly keyboard = new Keyboard(this)
  readonly #site: string
  readonly #key: string | undefined
  readonly #complain: (complaint: string) => void
  #user: UserEvent = userEvent.setup({ document: this.window.document as never })
  #scope: object = {}
  #rules: Rule[] = []
  readonly #listeners: Listener[] = []
  #isOnline = true

  constructor(site: string, key: string | undefined, complain: (complaint: string) => void) {
    super()
    this.#site = site
    this.#key = key
    this.#complain = complain
  }

  get root(): HTMLElement {
    return this.window.document.documentElement
  }

  get openDialog(): HTMLElement | undefined {
    return (this.window.document.querySelector('dialog[open]') as HTMLElement | null) ?? undefined
  }

  /** Acts as a person, and lets the page show what comes of it. */
  async act(as: (user: UserEvent) => Promise<unknown>): Promise<void> {
    await as(this.#user)
    await Bun.sleep(1)
  }

  async goto(path: string): Promise<void> {
    const { href, pathname, search, hash } = new URL(path, this.#site)
    const { location } = this.window
    if (hash && location.pathname + location.search === pathname + search) location.hash = hash
    else await this.#load(href)
  }

  readonly reload = () => this.#load(this.url(), this.window.history.state)

  async #load(url: string, state?: unknown): Promise<void> {
    const html = await (await fetch(url)).text()
    const [, script = ''] = / type="module" src="(assets\/[^"]+\.js)"/.exec(html) ?? []
    // Its name changes with its contents.
    const run = scripts.get(script) ?? compile(new URL(script, url).href)
    scripts.set(script, run)
    const old = this.window
    await this.close()
    const window = new Window({ url, settings: { disableComputedStyleRendering: true } })
    this.window = window
    if (old.location.href === 'about:blank') {
      if (this.#key !== undefined) window.sessionStorage.setItem('petstore-api-key', this.#key)
    } else
      for (const kind of ['sessionStorage', 'localStorage'] as const)
        for (const [name, value] of Object.entries(old[kind])) window[kind].setItem(name, String(value))
    window.document.write(html)
    this.#prepare(window)
    if (state) {
      // The step that a person may go back.
      window.history.replaceState(null, '', window.location.pathname + window.location.search)
      window.history.pushState(state, '', url)
    }
    ;(await run)(this.#scope)
    await Bun.sleep(1)
  }

  #prepare(window: Window): void {
    const document = window.document as never
    this.#user = userEvent.setup({ document, delay: 0, applyAccept: false, pointerEventsCheck: 0 })
    behave(window, {
      complain: this.#complain,
      save: ({ download, href }) => this.#tell('download', this.#download(download, href)),
    })
    window.addEventListener('error', event => this.#complain(`thrown: ${(event as ErrorEvent).error}`))
    window.addEventListener('click', ({ target }) => {
      const setFiles = (file: ChosenFile) => this.#choose(target as HTMLElement, file)
      if ((target as HTMLInputElement).type === 'file') this.#tell('filechooser', { setFiles })
    })
    Object.defineProperty(window.navigator, 'onLine', { get: () => this.#isOnline })
    const timers = createClock()
    this.clock = clockOf(timers)
    const given: Record<PropertyKey, unknown> = {
      fetch: (...sent: ConstructorParameters<typeof Request>) => this.#send(new Request(...sent)),
      setTimeout: timers.setTimeout,
      // Without a time, theirs would act only once.
      setInterval: (act: () => void, ms = 1) => timers.setInterval(act, ms),
      console: { ...console, error: this.#complain, warn: this.#complain },
      clearTimeout: timers.clearTimeout,
      clearInterval: timers.clearInterval,
    }
    this.#scope = new Proxy(window, {
      has: (_, name) =>
        name in given || (name in window && (OF_WINDOW.has(String(name)) || !(name in globalThis))),
      get: (_, name) => {
        const value: unknown = given[name] ?? Reflect.get(window, name)
        const isMethod = typeof value === 'function' && /^[a-z]/.test(String(name))
        return isMethod ? value.bind(window) : value
      },
    })
  }

  #send(request: Request): Promise<Response> {
    const { method, url } = request
    this.#tell('request', { method: () => method, url: () => url })
    if (new URL(url).origin !== this.#site) this.#complain(`asked ${url}`)
    return this.#isOnline ? send(request, this.#rules) : Promise.reject(new TypeError('Failed to fetch'))
  }

  #download(name: string, href: string) {
    const text = fetch(href).then(file => file.bytes())
    const path = async () => {
      const file = join(await freshFolder(), 'saved')
      writeFileSync(file, await text)
      return file
    }
    return { suggestedFilename: () => name, path }
  }

  on(...listener: Listener): void {
    this.#listeners.push(listener)
  }

  #tell(name: string, event: unknown): void {
    for (const [wanted, act] of this.#listeners) if (wanted === name) act(event as never)
  }

  waitForEvent(name: string): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.on(name, resolve)
    return promise
  }

  async route(pattern: string, handle: Rule['handle'], { times = Infinity } = {}): Promise<void> {
    this.#rules.push({ pattern, handle, times })
  }

  async unroute(pattern: string): Promise<void> {
    this.#rules = this.#rules.filter(rule => rule.pattern !== pattern)
  }

  context() {
    const setOffline = async (isOffline: boolean) => {
      this.#isOnline = !isOffline
      this.window.dispatchEvent(new this.window.Event(isOffline ? 'offline' : 'online'))
    }
    /** It has no cookies and no databases. */
    const storageState = async () => ({ cookies: [], origins: Object.keys(this.window.localStorage) })
    return { setOffline, storageState }
  }

  async evaluate(code: string): Promise<unknown> {
    const result: unknown = await within(`eval(${JSON.stringify(code)})`)(this.#scope)
    await Bun.sleep(1)
    return result
  }

  readonly url = () => this.window.location.href
  readonly title = async () => this.window.document.title

  #step(step: 'back' | 'forward'): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>()
    this.window.addEventListener('popstate', () => setTimeout(resolve), { once: true })
    this.window.history[step]()
    return promise
  }

  readonly goBack = () => this.#step('back')
  readonly goForward = () => this.#step('forward')

  #choose(field: HTMLElement, { name, mimeType: type, buffer }: ChosenFile): Promise<void> {
    return this.act(user => user.upload(field as never, new File([buffer], name, { type })))
  }

  async setInputFiles(selector: string, file: ChosenFile): Promise<void> {
    const look = () => this.window.document.querySelector(selector) ?? undefined
    await this.#choose((await eventually(selector, look)) as HTMLElement, file)
  }

  /** Ends what the page does. */
  async close(): Promise<void> {
    this.clock.stop()
    await this.window.happyDOM.close()
  }
}

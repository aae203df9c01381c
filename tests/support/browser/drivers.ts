import { join } from 'node:path'
import { freePort, freshFolder } from '../process.ts'
import { Beside, program } from '../programs.ts'

/** What a browser can be asked for, whatever protocol it speaks. */
export interface Driver {
  open(url: string): Promise<unknown>
  /** Waits for a promise of a text in the page. */
  textOf(expression: string): Promise<string | undefined>
  /** Presses keys one after the other, by their names in `KEYS`, as letters, or as `Shift+Tab`. */
  press(...keys: readonly string[]): Promise<unknown>
  click(x: number, y: number): Promise<unknown>
  resize(width: number, height: number): Promise<unknown>
  close(): Promise<unknown>
}

export const BROWSERS = {
  chromium: { programs: ['chromium'], start: startChromium },
  firefox: { programs: ['firefox'], start: startFirefox },
  webkit: { programs: ['WebKitWebDriver', 'Xvfb'], start: startWebKit },
} as const

async function startChromium(): Promise<Driver> {
  const { chromium } = await import('playwright-core')
  const executablePath = program('chromium')
  const ignoreDefaultArgs = ['--hide-scrollbars']
  const browser = await chromium.launch({ executablePath, ignoreDefaultArgs, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  return {
    open: url => page.goto(url),
    textOf: expression => page.evaluate<string>(expression),
    press: async (...keys) => {
      for (const key of keys) await page.keyboard.press(key)
    },
    click: (x, y) => page.mouse.click(x, y),
    resize: (width, height) => page.setViewportSize({ width, height }),
    close: () => browser.close(),
  }
}

/** The keys that have no letter, as WebDriver writes them. */
const KEYS: Readonly<Record<string, string>> = {
  Tab: '\ue004',
  Enter: '\ue007',
  Shift: '\ue008',
  Escape: '\ue00c',
  ArrowRight: '\ue014',
  ArrowDown: '\ue015',
}

/** Actions in the notation that both protocols of WebDriver share. */
const ofKeys = (keys: readonly string[]) => {
  const actions = keys.flatMap(key => {
    const values = key.split(/(?<=.)\+/).map(one => KEYS[one] ?? one)
    const downs = values.map(value => ({ type: 'keyDown', value }))
    return [...downs, ...downs.toReversed().map(down => ({ ...down, type: 'keyUp' }))]
  })
  return [{ type: 'key', id: 'keyboard', actions }]
}

const ofClick = (x: number, y: number) => {
  const move = { type: 'pointerMove', x: Math.round(x), y: Math.round(y) }
  const actions = [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }]
  return [{ type: 'pointer', id: 'mouse', actions }]
}

/** Firefox speaks WebDriver BiDi itself: JSON over a WebSocket, each response with the number of its request. */
async function startFirefox(): Promise<Driver> {
  // Saved files go there too.
  const HOME = await freshFolder()
  const command = [program('firefox'), '--headless', '--profile', HOME, '--remote-debugging-port=0']
  const browser = new Beside(command, { HOME })
  const address = /WebDriver BiDi listening on (\S+)/
  await browser.until('Firefox listens', async () => address.test(browser.text))
  const socket = new WebSocket(`${address.exec(browser.text)?.[1]}/session`)
  await new Promise(resolve => socket.addEventListener('open', resolve))

  const waiting = new Map<number, PromiseWithResolvers<Result>>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, message } = JSON.parse(String(data))
    if (result) waiting.get(id)?.resolve(result)
    else waiting.get(id)?.reject(new Error(`${error}: ${message}`))
  })
  let last = 0
  const send = (method: string, params: object): Promise<Result> => {
    const answer = Promise.withResolvers<Result>()
    waiting.set(++last, answer)
    socket.send(JSON.stringify({ id: last, method, params }))
    return answer.promise
  }

  await send('session.new', { capabilities: {} })
  const { context } = await send('browsingContext.create', { type: 'tab' })
  const perform = (actions: object) => send('input.performActions', { context, actions })
  return {
    open: url => send('browsingContext.navigate', { context, url, wait: 'complete' }),
    textOf: async expression => {
      const params = { expression, target: { context }, awaitPromise: true }
      return (await send('script.evaluate', params)).result?.value
    },
    press: (...keys) => perform(ofKeys(keys)),
    click: (x, y) => perform(ofClick(x, y)),
    resize: (width, height) => send('browsingContext.setViewport', { context, viewport: { width, height } }),
    close: () => browser.stop(),
  }
}

/** What the results of the methods above have. */
interface Result {
  readonly context?: string
  readonly result?: { readonly value?: string }
}

/** WebKitGTK has a program that speaks the older WebDriver over HTTP, and needs a display. */
async function startWebKit(): Promise<Driver> {
  // Keys go to the window under the pointer, which is in the middle of the screen: even a narrow window is there.
  const display = new Beside([program('Xvfb'), '-displayfd', '2', '-screen', '0', '640x480x24'])
  const number = /^(\d+)$/m
  await display.until('a display', async () => number.test(display.text))
  const HOME = await freshFolder()
  // Its own controls would keep a window from being as narrow as a phone.
  await Bun.write(join(HOME, '.config/gtk-3.0/gtk.css'), '* { min-width: 0; padding: 0; font-size: 1px }')
  await Bun.write(join(HOME, '.config/gtk-3.0/settings.ini'), '[Settings]\ngtk-overlay-scrolling=false\n')
  const port = await freePort()
  const DISPLAY = `:${number.exec(display.text)?.[1]}`
  const variables = { HOME, DISPLAY, GDK_BACKEND: 'x11' }
  const driver = new Beside([program('WebKitWebDriver'), `--port=${port}`], variables)
  let session = `http://127.0.0.1:${port}/session`
  await driver.until('WebKitWebDriver listens', async () => (await fetch(session)).status > 0)
  const send = async <Value>(command: string, params?: object): Promise<Value> => {
    const init = params && { method: 'POST', body: JSON.stringify(params) }
    const response = await fetch(session + command, init)
    const { value } = (await response.json()) as { value: Value }
    if (!response.ok) throw new Error(JSON.stringify(value))
    return value
  }

  const { sessionId } = await send<{ sessionId: string }>('', { capabilities: {} })
  session += `/${sessionId}`
  const perform = (actions: object) => send('/actions', { actions })
  return {
    open: url => send('/url', { url }),
    textOf: expression => send('/execute/async', { script: `${expression}.then(arguments[0])`, args: [] }),
    press: (...keys) => perform(ofKeys(keys)),
    click: (x, y) => perform(ofClick(x, y)),
    resize: (width, height) => send('/window/rect', { width, height }),
    close: async () => {
      await driver.stop()
      await display.stop()
    },
  }
}

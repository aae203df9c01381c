import { expect } from 'bun:test'
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from 'playwright-core'
import { freshSqliteUrl } from '../process.ts'
import { program, type Suite } from '../programs.ts'
import { API_KEY, type ProcessOptions, type ServiceProcess, startProcess } from '../service.ts'

/** Shorter than the time limit of a test, so that the error names what was waited for. */
const TIMEOUT_MS = 30_000
/** Chromium logs every error answer, and the tests provoke those. */
const OF_THE_NETWORK = /^Failed to load resource/

/** Without these, Chromium contacts hosts of its vendor at every start, and refuses to start as root. */
const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

/** Runs in the page, once: acts as if the key had been entered in this tab. The sign-in tests prove that it can be. */
const SIGN_IN = (key: string): void => {
  if (window.name !== '') return
  window.name = 'signed in'
  sessionStorage.setItem('petstore-api-key', key)
}

declare const window: { name: string }
declare const sessionStorage: { setItem(name: string, value: string): void }

export interface Console {
  service(): ServiceProcess
  /** A page in its own browser profile. */
  open(path?: string, options?: BrowserContextOptions): Promise<Page>
  openSignedIn(path?: string, options?: BrowserContextOptions): Promise<Page>
}

/**
 * Runs the real service and a real browser for one test file. After each test, checks that no page threw or logged an error or
 * sent a request to another origin.
 */
export function withConsole(
  { beforeAll, afterEach, afterAll }: Suite,
  options: Omit<ProcessOptions, 'databaseUrl'> = {},
  freshDatabaseUrl: () => Promise<string> = freshSqliteUrl,
): Console {
  let service: ServiceProcess
  let browser: Browser
  let complaints: string[] = []

  beforeAll(async () => {
    service = await startProcess({ ...options, databaseUrl: await freshDatabaseUrl() })
    browser = await chromium.launch({ executablePath: program('chromium'), args: FLAGS.split(' ') })
  })
  afterEach(async () => {
    await Promise.all(browser.contexts().map(context => context.close()))
    const heard = complaints
    complaints = []
    expect(heard).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
    await service?.stop()
  })

  async function open(path = '/', contextOptions: BrowserContextOptions = {}, key?: string): Promise<Page> {
    const context = await browser.newContext({ baseURL: service.url, ...contextOptions })
    context.setDefaultTimeout(TIMEOUT_MS)
    const page = await context.newPage()
    page.on('pageerror', error => complaints.push(`thrown: ${error}`))
    page.on('console', message => {
      if (['error', 'warning'].includes(message.type()) && !OF_THE_NETWORK.test(message.text()))
        complaints.push(`console: ${message.text()}`)
    })
    page.on('request', request => {
      if (new URL(request.url()).origin !== service.url) complaints.push(`asked ${request.url()}`)
    })
    if (key !== undefined) await page.addInitScript(SIGN_IN, key)
    await page.goto(path)
    return page
  }

  return {
    service: () => service,
    open: (path, contextOptions) => open(path, contextOptions),
    openSignedIn: async (path, contextOptions) => {
      const page = await open(path, contextOptions, API_KEY)
      await keyMenu(page).waitFor()
      return page
    },
  }
}

export async function signIn(page: Page, key = API_KEY): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await keyMenu(page).waitFor()
}

export async function signOut(page: Page): Promise<void> {
  await keyMenu(page).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('API key', { exact: true }).waitFor()
}

/** There as long as someone is signed in. */
export const keyMenu = (page: Page): Locator => page.getByRole('button', { name: /^Your API key/ })

/** The rows of the table as text: id, name, status, category. */
export async function rowsOf(page: Page): Promise<string[][]> {
  await isRead(page)
  return page
    .locator('.animals tbody tr')
    .evaluateAll(rows =>
      rows.map(row =>
        [...(row as unknown as { cells: { textContent: string }[] }).cells].map(cell => cell.textContent),
      ),
    )
}

export async function namesOf(page: Page): Promise<string[]> {
  await isRead(page)
  return page.locator('.name-link .name-text').allTextContents()
}

const isRead = (page: Page): Promise<void> => page.locator('.list[aria-busy=false] .animals').waitFor()

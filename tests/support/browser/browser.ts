import * as runner from 'bun:test'
import { expect } from 'bun:test'
import type { BrowserContextOptions, Locator, Page } from 'playwright-core'
import { DocumentPage } from '../document/page.ts'
import { petJson, walk } from '../http.ts'
import { eventually, petstore, type Variables } from '../process.ts'
import { needs, program, type Suite } from '../programs.ts'
import { API_KEY, type Service, startProcess, startService } from '../service.ts'

/** Shorter than the time limit of a test, so that the error names what was waited for. */
const TIMEOUT_MS = 60_000
/** Chromium logs every error answer, and the tests provoke those. */
const OF_THE_NETWORK = /^Failed to load resource/

/** Without these, Chromium contacts hosts of its vendor at every start, and refuses to start as root. */
const FLAGS =
  '--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'

/** Runs in the page, once: acts as if the key had been entered in this tab. The sign-in tests prove that it can be. */
const SIGN_IN = (key: string): string => `if (!window.name) {
  window.name = 'signed in'
  sessionStorage.setItem('petstore-api-key', '${key}')
}`

/** The fast tier has the same pages without a browser. */
export const HAS_BROWSER = process.env.PETSTORE_TEST_TIER === 'thorough'

/** What `needs` returns for tests that need a browser and perhaps other programs, and `withConsole` for them. */
export function browserTests(...programs: readonly string[]) {
  const suite = HAS_BROWSER ? needs('chromium', ...programs) : runner
  return { ...suite, withConsole: (variables?: Variables) => withConsole(suite, variables) }
}

type Open = (path: string, options: BrowserContextOptions, key: string | undefined) => Promise<Page>

interface Pages {
  readonly open: Open
  /** Closes all pages. */
  leave(): Promise<unknown>
  close(): Promise<void>
}

async function inChromium(service: Service, complain: (complaint: string) => void): Promise<Pages> {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.launch({ executablePath: program('chromium'), args: FLAGS.split(' ') })
  return {
    /** A page in its own browser profile. */
    open: async (path, { baseURL = service.url, ...options }, key) => {
      const context = await browser.newContext({ baseURL, ...options })
      context.setDefaultTimeout(TIMEOUT_MS)
      const page = await context.newPage()
      page.on('pageerror', error => complain(`thrown: ${error}`))
      page.on('console', message => {
        if (['error', 'warning'].includes(message.type()) && !OF_THE_NETWORK.test(message.text()))
          complain(`console: ${message.text()}`)
      })
      page.on('request', request => {
        if (new URL(request.url()).origin !== baseURL) complain(`asked ${request.url()}`)
      })
      if (key !== undefined) await page.addInitScript({ content: SIGN_IN(key) })
      await page.goto(path)
      return page
    },
    leave: () => Promise.all(browser.contexts().map(context => context.close())),
    close: () => browser.close(),
  }
}

function inDocuments(service: Service, complain: (complaint: string) => void): Pages {
  const pages: DocumentPage[] = []
  return {
    open: async (path, { baseURL = service.url }, key) => {
      const page = new DocumentPage(baseURL, key, complain)
      pages.push(page)
      await page.goto(path)
      // It has what these tests use; what it lacks would be an error of the test.
      return page as unknown as Page
    },
    leave: () => Promise.all(pages.splice(0).map(page => page.close())),
    close: async () => {},
  }
}

/**
 * Runs the real service and its real pages for one test file. After each test, checks that no page threw or logged an error or
 * sent a request to another origin.
 */
function withConsole({ beforeAll, afterEach, afterAll }: Suite, variables: Variables = {}) {
  let service: Service
  let pages: Pages
  const complaints: string[] = []

  beforeAll(async () => {
    service = await (HAS_BROWSER ? startProcess : startService)({ variables })
    pages = await (HAS_BROWSER ? inChromium : inDocuments)(service, text => void complaints.push(text))
  })
  afterEach(async () => {
    await pages.leave()
    expect(complaints.splice(0)).toEqual([])
  })
  afterAll(async () => {
    await pages?.close()
    await service?.stop()
  })

  /** A page that may have an API key, which was entered before. */
  const open = (path = '/', options: BrowserContextOptions = {}, key?: string) =>
    pages.open(path, options, key)

  return {
    service: () => service,
    open,
    openSignedIn: async (path?: string, contextOptions?: BrowserContextOptions) => {
      const page = await open(path, contextOptions, API_KEY)
      await keyMenu(page).waitFor()
      return page
    },
    add: async (pet: Parameters<typeof petJson>[0]) => (await service.post(petJson(pet))).pet,
    /** The stored animals with this name, or with a name that matches. */
    stored: async (name: string | RegExp) => {
      const { pets } = await walk(service, '/v1/pets?limit=100')
      return pets.filter(pet => (typeof name === 'string' ? pet.name === name : name.test(pet.name)))
    },
    /** Revokes an API key, and waits until the service refuses it. */
    revoke: async (name: string, key: string) => {
      await petstore(['keys', 'revoke', name, '--yes'], { DATABASE_URL: service.options.databaseUrl })
      await eventually(
        'the key is refused',
        async () => (await service.fetch('/v1/pets', { key })).status === 401 || undefined,
      )
    },
  }
}

/** For a page on a narrow screen. */
export const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true }

/** Runs in the page: acts as if another tab were in front of it. */
export const HIDE = `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`

/** For a page that may use the clipboard. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] }

export const clipboardOf = (page: Page): Promise<string> =>
  page.evaluate<string>('navigator.clipboard.readText()')

export async function signIn(page: Page, key = API_KEY): Promise<void> {
  await page.getByLabel('API key', { exact: true }).fill(key)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await keyMenu(page).waitFor()
}

export async function signOut(page: Page): Promise<void> {
  await keyMenu(page).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('API key', { exact: true }).waitFor()
}

/** There as long as someone is signed in. */
const keyMenu = (page: Page): Locator => page.getByRole('button', { name: /^Your API key/ })

/** The rows of the list as text: id, name, status, category. */
export async function rowsOf(page: Page): Promise<string[][]> {
  await isRead(page)
  return cellsOf(page, '.animals')
}

/** The text of each cell of a table, row by row. */
export const cellsOf = (page: Page, table: string): Promise<string[][]> =>
  page.evaluate<string[][]>(`[...document.querySelectorAll('${table} tbody tr')]
    .map(row => [...row.cells].map(cell => cell.textContent))`)

/** What the element with the focus says. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('(document.activeElement.ariaLabel ?? document.activeElement.innerText).trim()')

export async function namesOf(page: Page): Promise<string[]> {
  await isRead(page)
  return page.locator('.name-link .name-text').allTextContents()
}

const isRead = (page: Page): Promise<void> => page.locator('.list[aria-busy=false] .animals').waitFor()

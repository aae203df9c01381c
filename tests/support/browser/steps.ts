import type { Download, Locator, Page, Route } from 'playwright-core'
import { cellsOf } from './browser.ts'

export const sheet = (page: Page): Locator => page.getByRole('dialog')

export const isClosed = (page: Page): Promise<void> => sheet(page).waitFor({ state: 'detached' })

export async function close(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await isClosed(page)
}

export async function pickFromMenu(page: Page, item: string): Promise<void> {
  const menu = item === 'Help and shortcuts' ? /^Your API key/ : /^More$/
  await page.getByRole('button', { name: menu }).click()
  await page.locator('.menu:popover-open').getByText(item, { exact: true }).click()
}

/** Opens a sheet by its own button, which a wide window has for "Import…" and "Export…", or from a menu. */
export async function openSheet(page: Page, item: string): Promise<void> {
  const button = page.getByRole('button', { name: item.replace('…', ''), exact: true })
  if (await button.isVisible()) await button.click()
  else await pickFromMenu(page, item)
  await sheet(page).waitFor()
}

export const chooseFile = (page: Page, name: string, content: string | Buffer): Promise<void> =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(content) })

/** The text of a file that was saved, with its byte order mark. */
export const textOf = async (download: Download): Promise<string> =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(await Bun.file(await download.path()).bytes())

/** Clicks a button of the sheet that saves a file; returns its text. */
export async function savedBy(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), button(page, name).click()])
  return textOf(download)
}

export const nameField = (page: Page): Locator => page.getByLabel('Name', { exact: true })
export const categoryField = (page: Page): Locator => page.getByLabel('Category', { exact: true })

export const openForm = (page: Page): Promise<void> =>
  page.getByRole('button', { name: 'Add animal', exact: true }).click()

export async function fillIn(page: Page, pet: { name: string; category?: string; status?: string }) {
  const { name, category = '7', status } = pet
  await openForm(page)
  await nameField(page).fill(name)
  await categoryField(page).fill(category)
  if (status) await sheet(page).getByText(status, { exact: true }).click()
}

/** Adds the animal and leaves the form open for the next one. */
export const send = (page: Page): Promise<void> =>
  sheet(page).getByRole('button', { name: 'Add and next', exact: true }).click()

export const sendAndClose = (page: Page): Promise<void> =>
  sheet(page).getByRole('button', { name: 'Add and close', exact: true }).click()

/** The line of an animal in the tray below the form. */
export const line = (page: Page, name: string): Locator =>
  sheet(page)
    .locator('.tray > ol > li')
    .filter({ has: page.getByText(name, { exact: true }) })

export const isAdded = (page: Page, name: string): Promise<void> =>
  line(page, name).getByText('added, ID').first().waitFor()

/** A button of the sheet. */
export const button = (page: Page, name: string | RegExp): Locator =>
  sheet(page).getByRole('button', { name, exact: true })
/** Waits for a heading of the sheet. */
export const heading = (page: Page, name: string | RegExp): Promise<void> =>
  sheet(page).getByRole('heading', { name, level: 2 }).waitFor()
export const tile = (page: Page, name: string): Locator =>
  sheet(page).getByRole('button', { name: new RegExp(`^${name} `) })

/** The lines that are shown: the line, its text, and how it was read or what to change. */
export const shownLines = (page: Page): Promise<string[][]> => cellsOf(page, '.lines')

/** Handles the additions of a page, each with its number, from 1. */
export async function onAdditions(
  page: Page,
  handle: (route: Route, number: number) => Promise<unknown>,
): Promise<void> {
  let number = 0
  await page.route('**/v1/pets', route =>
    route.request().method() === 'POST' ? handle(route, ++number) : route.continue(),
  )
}

/** Holds every addition in transit until the returned function is called. */
export async function holdAdditions(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await onAdditions(page, async route => {
    await promise
    // The page may have given it up meanwhile.
    await route.continue().catch(() => undefined)
  })
  return resolve
}

/** The service adds all animals, but only the first responses arrive. The returned function waits until one is held back. */
export async function holdAnswers(page: Page, afterFirst: number): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await onAdditions(page, async (route, number) => {
    if (number <= afterFirst) return route.continue()
    await route.fetch()
    return resolve()
  })
  return () => promise
}

import type { Download, Locator, Page } from 'playwright-core'
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

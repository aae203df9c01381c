import type { Locator, Page } from 'playwright-core'

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

/** Clicks a button of the sheet that saves a file; returns the file's text with its byte order mark. */
export async function savedBy(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet(page).getByRole('button', { name, exact: true }).click(),
  ])
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await Bun.file(await download.path()).bytes())
}

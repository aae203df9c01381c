import type { Page } from 'playwright-core'

export async function pickFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** Opens one of the sheets behind "More". */
export async function openSheet(page: Page, item: string): Promise<void> {
  await pickFromMenu(page, item)
  await page.getByRole('dialog').waitFor()
}

export const chooseFile = (page: Page, name: string, text: string): Promise<void> =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(text) })

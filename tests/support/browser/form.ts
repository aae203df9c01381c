import type { Locator, Page } from 'playwright-core'
import { sheet } from './sheet.ts'

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

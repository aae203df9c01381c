import type { Locator, Page } from 'playwright-core'
import { sheet } from './sheet.ts'

/** A button of the sheet. */
export const button = (page: Page, name: string | RegExp): Locator =>
  sheet(page).getByRole('button', { name, exact: true })
/** Waits for a heading of the sheet. */
export const heading = (page: Page, text: string | RegExp, options: { timeout?: number } = {}) =>
  sheet(page).getByRole('heading', { name: text, level: 2 }).waitFor(options)
export const tile = (page: Page, name: string): Locator =>
  sheet(page).getByRole('button', { name: new RegExp(`^${name} `) })

/** The lines that are shown: the line, its text, and how it was read or what to change. */
export const shownLines = (page: Page): Promise<string[][]> =>
  page
    .locator('.lines tbody tr')
    .evaluateAll(rows =>
      rows.map(row =>
        [...(row as unknown as { cells: { textContent: string }[] }).cells].map(cell => cell.textContent),
      ),
    )

/** Imports the chosen file, which must have one new animal. */
export async function importOne(page: Page): Promise<void> {
  await button(page, 'Add 1 animal').click()
  await heading(page, /^1 animal was added/)
}

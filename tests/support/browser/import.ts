import type { Locator, Page } from 'playwright-core'
import { cellsOf } from './browser.ts'
import { sheet } from './sheet.ts'

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

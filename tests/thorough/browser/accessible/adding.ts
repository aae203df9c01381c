import type { Page } from 'playwright-core'
import { fillIn, isClosed, loseAnswers, send, sheet } from '../../../support/browser/form.ts'
import { chooseFile, openSheet } from '../../../support/browser/menu.ts'
import type { States } from './walk.ts'

const FILE = ['name,categoryId,status', 'Rex,7,sold', 'Mia,dog,sold', 'Bo,-3,', 'Luna,12,pending'].join('\n')

/** Starts at the list and holds additions until `letGo` is called. */
export const addingStates = (page: Page, letGo: () => void): States => ({
  'the form': async () => {
    await page.getByRole('button', { name: 'Add animal', exact: true }).click()
    await sheet(page).waitFor()
  },
  'the form, with what is wrong': async () => {
    await page.getByLabel('Category', { exact: true }).fill('dog')
    await send(page)
    await page.getByText('Enter a whole number').waitFor()
  },
  'an answer that is slow': async () => {
    await page.getByLabel('Name', { exact: true }).fill('Held')
    await page.getByLabel('Category', { exact: true }).fill('7')
    await send(page)
    await page.getByText('If you cancel now').waitFor()
  },
  'an answer that is waited for in the list': async () => {
    await page.keyboard.press('Escape')
    await page.getByText('may still be added').waitFor()
  },
  'added, on a later page': async () => {
    letGo()
    await page.getByText('New, on a later page').waitFor()
    await page.unroute('**/v1/pets')
  },
  'added, while another is typed': async () => {
    await fillIn(page, { name: 'First' })
    await page.getByRole('button', { name: 'Add and start another' }).click()
    await sheet(page).getByText('was added with ID').waitFor()
    await sheet(page).locator('.exchange summary').click()
  },
  'added, with another status': async () => {
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.goto('/?status=available')
    await fillIn(page, { name: 'Sold one', status: 'sold' })
    await send(page)
    await page.getByRole('button', { name: 'Show sold animals' }).waitFor()
  },
  'a lost answer': async () => {
    await loseAnswers(page, 2)
    await fillIn(page, { name: 'Lost' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await sheet(page).getByText('Details', { exact: true }).click()
  },
  'a lost answer, in the list': async () => {
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.getByText('may have been added').waitFor()
  },
  'the first version was added': async () => {
    await page.unroute('**/v1/pets')
    await page.getByRole('button', { name: 'Add animal', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill('After')
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await sheet(page).getByText('The first version was added').waitFor()
  },
})

/** The same for the import of files. */
export const fileStates = (page: Page, letGo: () => void): States => ({
  'import, no file': () => openSheet(page, 'Import…'),
  'import, preview': async () => {
    await chooseFile(page, 'animals.csv', FILE)
    await page.getByText('3 animals to add, 1 with problems').waitFor()
  },
  'import, running': async () => {
    await page.getByRole('button', { name: 'Add 3 animals' }).click()
    await page.getByText('0 added, 3 to go').waitFor()
  },
  'import, paused': async () => {
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByRole('button', { name: /Add 3|Resume/ }).waitFor()
  },
  'import, done': async () => {
    letGo()
    await page.getByRole('button', { name: /Add 3|Resume/ }).click()
    await page.getByText('3 added. Done.').waitFor()
  },
  export: async () => {
    await page.keyboard.press('Escape')
    await isClosed(page)
    await openSheet(page, 'Export…')
  },
  'export, done': async () => {
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByText('animals exported.').waitFor()
  },
})

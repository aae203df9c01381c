import type { Locator, Page, Route } from 'playwright-core'
import type { Service } from '../service.ts'

interface Animal {
  readonly name: string
  readonly category?: string
  readonly status?: string
}

export async function fillIn(page: Page, { name, category = '7', status }: Animal): Promise<void> {
  await page.getByRole('button', { name: 'Add animal', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Category', { exact: true }).fill(category)
  if (status) await page.getByRole('dialog').getByText(status, { exact: true }).click()
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

export const storedAs = async (service: Service, name: string) =>
  (await service.fetch('/v1/pets?limit=100')).pets.filter(pet => pet.name === name)

const isAddition = (route: Route): boolean => route.request().method() === 'POST'

/** Drops the answer after the service has added the animal, for the first `times` additions. */
export async function loseAnswers(page: Page, times: number): Promise<void> {
  let left = times
  await page.route('**/v1/pets', async route => {
    if (!isAddition(route) || left-- <= 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
}

/** Delays every addition on its way to the service. */
export async function delayAdditions(page: Page, ms: number): Promise<void> {
  await page.route('**/v1/pets', async route => {
    if (isAddition(route)) await Bun.sleep(ms)
    // The page may have been closed or reloaded meanwhile.
    await route.continue().catch(() => undefined)
  })
}

/** Holds every addition in transit until the returned function is called. */
export async function holdAdditions(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/v1/pets', async route => {
    if (isAddition(route)) await promise
    // The page may have been closed meanwhile.
    await route.continue().catch(() => undefined)
  })
  return resolve
}

export const sheet = (page: Page): Locator => page.getByRole('dialog')

export const isClosed = (page: Page): Promise<void> => sheet(page).waitFor({ state: 'detached' })

const MENUS: Readonly<Record<string, RegExp>> = {
  'Help and shortcuts': /^Your API key/,
  'Request details': /^Your API key/,
  'By name': /^View$/,
  'Compact rows': /^View$/,
  Overview: /^View$/,
}

export async function pickFromMenu(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: MENUS[item] ?? /^More$/ }).click()
  await page.getByRole('menu').getByText(item, { exact: true }).click()
}

/** Opens a sheet by its own button, which a wide window has for "Import…" and "Export…", or from a menu. */
export async function openSheet(page: Page, item: string): Promise<void> {
  const button = page.getByRole('button', { name: item.replace('…', ''), exact: true })
  if (await button.isVisible()) await button.click()
  else await pickFromMenu(page, item)
  await page.getByRole('dialog').waitFor()
}

export const chooseFile = (page: Page, name: string, text: string): Promise<void> =>
  page.setInputFiles('input[type=file]', { name, mimeType: 'text/plain', buffer: Buffer.from(text) })

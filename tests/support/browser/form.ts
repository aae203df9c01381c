import type { Locator, Page, Route } from 'playwright-core'
import type { Service } from '../service/service.ts'

interface Animal {
  readonly name: string
  readonly category?: string
  readonly status?: string
}

/** Opens the form and fills it in. */
export async function fillIn(page: Page, { name, category = '7', status }: Animal): Promise<void> {
  await page.getByRole('button', { name: 'Add animal', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill(name)
  await page.getByLabel('Category', { exact: true }).fill(category)
  if (status) await page.getByRole('dialog').getByText(status, { exact: true }).click()
}

export const send = (page: Page): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: 'Add animal', exact: true }).click()

export const storedAs = async (service: Service, name: string) =>
  (await service.fetch('/v1/pets?limit=100')).pets.filter(pet => pet.name === name)

const isAddition = (route: Route): boolean => route.request().method() === 'POST'

/** The service has it and has answered; the answer does not arrive. As often as said, then no longer. */
export async function loseAnswers(page: Page, times: number): Promise<void> {
  let left = times
  await page.route('**/v1/pets', async route => {
    if (!isAddition(route) || left-- <= 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
}

/** Holds every addition on its way until it is let go. */
export async function holdAdditions(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/v1/pets', async route => {
    if (isAddition(route)) await promise
    // A page that was closed meanwhile has no use for it.
    await route.continue().catch(() => undefined)
  })
  return resolve
}

export const sheet = (page: Page): Locator => page.getByRole('dialog')

export const isClosed = (page: Page): Promise<void> => sheet(page).waitFor({ state: 'detached' })

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { namesOf, withConsole } from '../../../support/browser/browser.ts'
import { fillIn, send, sheet, storedAs } from '../../../support/browser/form.ts'
import { petJson } from '../../../support/http/exact.ts'
import { needs } from '../../../support/programs/needs.ts'
import { eventually } from '../../../support/service/process.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const focused = (page: Page): Promise<string> => page.evaluate<string>('document.activeElement.name')

describe('what the page says is true', () => {
  test('"Show sold animals" shows the new one, also beyond the first page', async () => {
    for (let n = 0; n < 11; n++) await app.service().post(petJson({ name: `sold ${n}`, status: 'sold' }))
    const page = await app.openSignedIn('/?status=available&limit=10')
    await fillIn(page, { name: 'Sold last', status: 'sold' })
    await send(page)
    await page.getByRole('button', { name: 'Show sold animals' }).click()
    await page.locator('.animals').getByText('Sold last').waitFor()
    expect((await namesOf(page)).at(-1)).toBe('Sold last')
  })

  test('no row claims animals in between where there are none', async () => {
    for (let n = 0; n < 10; n++)
      await app.service().post(petJson({ name: `pending ${n}`, status: 'pending' }))
    const page = await app.openSignedIn('/?status=pending&limit=10')
    await fillIn(page, { name: 'Eleventh', status: 'pending' })
    await send(page)
    await page.locator('.animals').getByText('Eleventh').waitFor()
    expect(await page.locator('.animals').innerText()).not.toContain('in between')
    await page.getByText('on a later page').waitFor()
  })

  test('rows of the filter before are dimmed and marked until the new ones are there', async () => {
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/v1/pets?*status=pending*', async route => {
      await promise
      await route.continue()
    })
    await page.getByRole('link', { name: 'pending' }).click()
    await page.locator('.animals.stale').waitFor()
    await page.getByText('Loading pending animals').waitFor()
    letGo()
    await page.locator('.animals:not(.stale)').waitFor()
    expect(await page.getByText('Loading pending animals').count()).toBe(0)
  })
})

describe('a form that cannot be sent', () => {
  test('shows all problems at once, in words for a person, and moves to the first', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: ' ', category: 'dog' })
    await send(page)
    await page.getByText('Enter a name').waitFor()
    await page.getByText('Enter a whole number').waitFor()
    await eventually('the focus is at the name', async () => (await focused(page)) === 'name' || undefined)
    await page.getByLabel('Name', { exact: true }).fill('Rex')
    await send(page)
    await eventually('the focus moved on', async () => (await focused(page)) === 'categoryId' || undefined)
    expect(await page.getByText('Enter a name').count()).toBe(0)
  })

  test('one that is too large is not told to try again, and its box goes with the next problem', async () => {
    const page = await app.openSignedIn()
    await page.route('**/v1/pets', route =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 413,
            contentType: 'application/json',
            body: '{"code":"body_too_large","message":"The body is larger than 64 KiB.","status":413}',
          })
        : route.continue(),
    )
    await fillIn(page, { name: 'Large' })
    await send(page)
    await sheet(page).getByText('Too large to send').waitFor()
    expect(await sheet(page).innerText()).not.toMatch(/try again/i)
    await page.getByLabel('Category', { exact: true }).fill('dog')
    await send(page)
    await page.getByText('Enter a whole number').waitFor()
    expect(await sheet(page).getByText('Too large to send').count()).toBe(0)
  })

  test('offline and online are noticed while it is open', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Far away' })
    await page.context().setOffline(true)
    await page.getByText('You are offline').first().waitFor()
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await page.context().setOffline(false)
    const isGone = async () => (await page.getByText('You are offline').count()) === 0
    await eventually('it is seen', async () => (await isGone()) || undefined)
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await page.getByText('was added with ID').waitFor()
    expect(await storedAs(app.service(), 'Far away')).toHaveLength(1)
  })
})

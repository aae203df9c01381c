import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { signIn, withConsole } from '../../../support/browser/browser.ts'
import { fillIn, holdAdditions, isClosed, send, sheet, storedAs } from '../../../support/browser/form.ts'
import { needs } from '../../../support/programs/needs.ts'
import { createKey, petstore } from '../../../support/service/cli.ts'
import { eventually } from '../../../support/service/process.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const stored = (name: string) => storedAs(app.service(), name)
const nameIn = (page: Page): Promise<string> => page.getByLabel('Name', { exact: true }).inputValue()

describe('while an answer is pending', () => {
  test('Cancel says that the animal may still be added, and the outcome is shown when it comes', async () => {
    const page = await app.openSignedIn('/?status=sold')
    const letGo = await holdAdditions(page)
    await fillIn(page, { name: 'Held' })
    await send(page)
    await sheet(page).getByRole('button', { name: 'Cancel' }).click()
    await isClosed(page)
    await page.getByText('may still be added').waitFor()
    letGo()
    await page.getByText('was added with ID').waitFor()
    expect(new URL(page.url()).search).toBe('?status=sold')
    expect(await stored('Held')).toHaveLength(1)
  })

  test('Escape, twice, closes the form and stays on the page', async () => {
    const page = await app.openSignedIn()
    const letGo = await holdAdditions(page)
    await fillIn(page, { name: 'Escaped' })
    await send(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await isClosed(page)
    letGo()
    await page.getByText('was added with ID').waitFor()
    expect(page.url()).toStartWith(app.service().url)
    expect(await stored('Escaped')).toHaveLength(1)
  })

  test('a late answer leaves a newer form open, with what is typed there', async () => {
    const page = await app.openSignedIn()
    const letGo = await holdAdditions(page)
    await fillIn(page, { name: 'Early' })
    await send(page)
    await page.keyboard.press('Escape')
    await isClosed(page)
    await fillIn(page, { name: 'Newer' })
    letGo()
    await sheet(page).getByText('was added with ID').waitFor()
    expect(await nameIn(page)).toBe('Newer')
  })
})

describe('closing the form', () => {
  test('by a double click on Cancel does not sign out, at any width', async () => {
    const page = await app.openSignedIn()
    for (const width of [390, 700, 1000]) {
      await page.setViewportSize({ width, height: 720 })
      await page.getByRole('button', { name: 'Add animal', exact: true }).click()
      await sheet(page).getByRole('button', { name: 'Cancel' }).dblclick()
      await isClosed(page)
      expect([width, await page.getByRole('button', { name: 'Sign out' }).count()]).toEqual([width, 1])
      expect(page.url()).toStartWith(app.service().url)
    }
  })

  test('by Escape, many times, never leaves the console', async () => {
    const page = await app.openSignedIn()
    for (let round = 0; round < 3; round++) {
      await page.getByRole('button', { name: 'Add animal', exact: true }).click()
      await sheet(page).waitFor()
      for (let press = 0; press < 4; press++) await page.keyboard.press('Escape')
      await isClosed(page)
      expect(page.url()).toBe(`${app.service().url}/`)
    }
  })

  test('keeps what was typed as a draft: through Escape, a reload and Back', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Typed', category: '12' })
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.getByRole('button', { name: 'Add animal', exact: true }).click()
    expect(await nameIn(page)).toBe('Typed')
    await page.reload()
    expect(await nameIn(page)).toBe('Typed')
    await page.goBack()
    await isClosed(page)
    await page.getByRole('button', { name: 'Add animal', exact: true }).click()
    expect(await page.getByLabel('Category', { exact: true }).inputValue()).toBe('12')
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await nameIn(page)).toBe('')
  })
})

test('a key revoked while something is typed costs nothing: the draft is there after signing in again', async () => {
  const url = app.service().options.databaseUrl
  const key = await createKey(url, 'short-lived')
  const page = await app.open()
  await signIn(page, key)
  await fillIn(page, { name: 'Kept', category: '5' })
  await petstore(['keys', 'revoke', 'short-lived', '--yes'], { DATABASE_URL: url })
  const isRefused = async () => (await app.service().fetch('/v1/pets', { key })).status === 401
  await eventually('the key is refused', async () => (await isRefused()) || undefined)
  await send(page)
  await signIn(page)
  expect(await nameIn(page)).toBe('Kept')
  expect(await stored('Kept')).toEqual([])
})

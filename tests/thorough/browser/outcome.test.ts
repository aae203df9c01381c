import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { signIn, withConsole } from '../../support/browser/browser.ts'
import {
  fillIn,
  holdAdditions,
  isClosed,
  loseAnswers,
  send,
  sheet,
  storedAs,
} from '../../support/browser/form.ts'
import { createKey, eventually, petstore } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const stored = (name: string) => storedAs(app.service(), name)
const nameIn = (page: Page): Promise<string> => page.getByLabel('Name', { exact: true }).inputValue()
const openForm = (page: Page) => page.getByRole('button', { name: 'Add animal', exact: true }).click()

async function revoke(key: string, name: string): Promise<void> {
  await petstore(['keys', 'revoke', name, '--yes'], { DATABASE_URL: app.service().options.databaseUrl })
  const isRefused = async () => (await app.service().fetch('/v1/pets', { key })).status === 401
  await eventually('the key is refused', async () => (await isRefused()) || undefined)
}

test('while a response is pending, what was sent cannot be changed, and its outcome finds its place', async () => {
  const page = await app.openSignedIn('/?status=sold')
  const letGo = await holdAdditions(page)
  await fillIn(page, { name: 'Held' })
  await send(page)
  expect(await page.getByLabel('Name', { exact: true }).isEditable()).toBe(false)
  await sheet(page).getByRole('button', { name: 'Cancel' }).click()
  await isClosed(page)
  await page.getByText('may still be added').waitFor()
  await fillIn(page, { name: 'Newer' })
  letGo()
  await sheet(page).getByText('was added with ID').waitFor()
  expect(await nameIn(page)).toBe('Newer')
  await page.keyboard.press('Escape')
  await isClosed(page)
  expect(new URL(page.url()).search).toBe('?status=sold')
  await page.getByRole('button', { name: 'Show available animals' }).click()
  await page.locator('.animals').getByText('Held').waitFor()
  expect(await stored('Held')).toHaveLength(1)
})

describe('after a lost response', () => {
  test('the form keeps its key through reload and Cancel, and one animal is made', async () => {
    const page = await app.openSignedIn()
    await holdAdditions(page)
    await fillIn(page, { name: 'Lost' })
    await send(page)
    // A reload while the response is pending loses it.
    await page.reload()
    await sheet(page).getByText('Trying again is safe').waitFor()
    await page.unroute('**/v1/pets')
    await sheet(page).getByRole('button', { name: 'Cancel' }).click()
    await isClosed(page)
    await page.getByText('may have been added').waitFor()
    await openForm(page)
    expect(await nameIn(page)).toBe('Lost')
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Lost')).toHaveLength(1)
  })

  test('what was sent cannot be changed, is put aside for another, and stays safe to try again', async () => {
    const page = await app.openSignedIn()
    await loseAnswers(page, 1)
    await fillIn(page, { name: 'Put aside' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).isEditable()).toBe(false)
    await sheet(page).getByRole('button', { name: 'Start another' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Another')
    await page.getByLabel('Category', { exact: true }).fill('7')
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await sheet(page)
      .getByText(/Put aside.* was added with ID/)
      .waitFor()
    await send(page)
    await page.getByText(/Another.* was added with ID/).waitFor()
    expect([(await stored('Put aside')).length, (await stored('Another')).length]).toEqual([1, 1])
  })

  test.each(['signed out', 'revoked'])(
    'nothing is tried again with another API key, after one was %s: there it would be another request',
    async end => {
      const url = app.service().options.databaseUrl
      const key = await createKey(url, end)
      const page = await app.open()
      await signIn(page, key)
      await loseAnswers(page, 1)
      await fillIn(page, { name: `Of a key that was ${end}` })
      await send(page)
      await sheet(page).getByText('may have been added').waitFor()
      if (end === 'revoked') {
        await revoke(key, end)
        await sheet(page).getByRole('button', { name: 'Try again' }).click()
      } else {
        await page.keyboard.press('Escape')
        await isClosed(page)
        await page.getByRole('button', { name: 'Sign out' }).click()
      }
      await signIn(page)
      await page.getByText('Look for it in the list before you add it again').waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      expect(await stored(`Of a key that was ${end}`)).toHaveLength(1)
    },
  )
})

describe('closing the form', () => {
  test('by a double click on Cancel or many Escapes stays in the console, signed in, at any width', async () => {
    const page = await app.openSignedIn()
    for (const width of [390, 1000]) {
      await page.setViewportSize({ width, height: 720 })
      await openForm(page)
      await sheet(page).getByRole('button', { name: 'Cancel' }).dblclick()
      await isClosed(page)
      await openForm(page)
      await sheet(page).waitFor()
      for (let press = 0; press < 4; press++) await page.keyboard.press('Escape')
      await isClosed(page)
      expect([width, await page.getByRole('button', { name: 'Sign out' }).count()]).toEqual([width, 1])
      expect(page.url()).toBe(`${app.service().url}/`)
    }
  })

  test('keeps what was typed as a draft: through Escape, a reload, Back and a revoked key', async () => {
    const url = app.service().options.databaseUrl
    const key = await createKey(url, 'short-lived')
    const page = await app.open()
    await signIn(page, key)
    await fillIn(page, { name: 'Typed', category: '12' })
    await page.keyboard.press('Escape')
    await isClosed(page)
    await openForm(page)
    await page.reload()
    expect(await nameIn(page)).toBe('Typed')
    await page.goBack()
    await isClosed(page)
    await openForm(page)
    await revoke(key, 'short-lived')
    await send(page)
    await signIn(page)
    expect(await nameIn(page)).toBe('Typed')
    expect(await page.getByLabel('Category', { exact: true }).inputValue()).toBe('12')
    expect(await stored('Typed')).toEqual([])
    await page.getByRole('button', { name: 'Clear' }).click()
    expect(await nameIn(page)).toBe('')
  })
})

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, signIn } from '../support/browser/browser.ts'
import { fillIn, isAdded, line, nameField, openForm, send, sendAndClose } from '../support/browser/form.ts'
import { holdAdditions } from '../support/browser/network.ts'
import { close, isClosed, sheet } from '../support/browser/sheet.ts'
import { createKey } from '../support/process.ts'

const { test, withConsole } = browserTests()
const app = withConsole()
const nameIn = (page: Page): Promise<string> => nameField(page).inputValue()

test('an outcome finds its place: in the open form, or above a list that does not show the animal', async () => {
  const page = await app.openSignedIn('/?status=sold')
  const letGo = await holdAdditions(page)
  await fillIn(page, { name: 'Held' })
  await sendAndClose(page)
  await isClosed(page)
  await page.getByText('Adding 1 animal…').waitFor()
  await fillIn(page, { name: 'Newer' })
  // What was sent cannot be changed.
  await line(page, 'Held').getByText('on its way…').waitFor()
  expect(await line(page, 'Held').getByRole('button').count()).toBe(0)
  await expectAccessible(page)
  letGo()
  await isAdded(page, 'Held')
  expect(await nameIn(page)).toBe('Newer')
  await close(page)
  expect(new URL(page.url()).search).toBe('?status=sold')
  await page.getByText('was added with ID').getByText('but does not match this view').waitFor()
  await page.getByRole('button', { name: 'Show all animals' }).first().click()
  await page.getByText('but does not match this view').waitFor({ state: 'detached' })
  await page.locator('.animals').getByText('Held').waitFor()
  await page.locator(':focus').waitFor()
  expect(await app.stored('Held')).toHaveLength(1)
})

test('closing the form by a double click, two clicks at once or many Escapes stays in the console, signed in', async () => {
  const page = await app.openSignedIn()
  const cross = sheet(page).getByRole('button', { name: 'Close', exact: true })
  for (const closing of [
    () => cross.dblclick(),
    () => page.evaluate("for (const click of 'xx') document.querySelector('.sheet-close').click()"),
    () => Promise.all(Array.from('1234', () => page.keyboard.press('Escape'))),
  ]) {
    await openForm(page)
    await sheet(page).waitFor()
    await closing()
    await isClosed(page)
    expect(await page.getByRole('button', { name: 'Add animal' }).count()).toBe(1)
    expect(page.url()).toBe(`${app.service().url}/`)
  }
})

test('what was typed is kept as a draft through Escape, a reload, Back and revoked keys, which get no letter of it', async () => {
  const keyOf = (name: string) => createKey(app.service().options.databaseUrl, name)
  const [first, second] = [await keyOf('first'), await keyOf('second')]
  const page = await app.open('/?status=sold')
  await signIn(page, first)
  await fillIn(page, { name: 'Typed', category: '12' })
  await close(page)
  await openForm(page)
  await page.reload()
  expect(await nameIn(page)).toBe('Typed')
  await page.goBack()
  await isClosed(page)
  await openForm(page)
  await app.revoke('first', first)
  await page.evaluate("dispatchEvent(new Event('online'))")
  await page.getByText('This API key was revoked.', { exact: true }).waitFor()
  await page.keyboard.type(' on')
  await page.keyboard.press('Enter')
  expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
  expect(await page.evaluate<string>('JSON.stringify({ ...sessionStorage })')).not.toContain(first)
  expect(new URL(page.url()).search).toBe('?status=sold')
  await signIn(page, second)
  expect(await nameIn(page)).toBe('Typed')
  await app.revoke('second', second)
  await send(page)
  await signIn(page)
  // Nothing was stored, so it may be added with another API key.
  await line(page, 'Typed').getByText('not added: this API key was revoked').waitFor()
  expect(await app.stored('Typed')).toEqual([])
  await line(page, 'Typed').getByRole('button', { name: 'Try again' }).click()
  await isAdded(page, 'Typed')
  expect((await app.stored('Typed')).map(({ categoryId }) => categoryId)).toEqual([12n])
})

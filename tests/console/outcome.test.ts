import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, focused, signIn, signOut } from '../support/browser/browser.ts'
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
  await fillIn(page, { name: 'Held' })
  await sheet(page).getByText('is among your additions below').waitFor()
  await nameField(page).fill('Newer')
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
  // While the store is read, nothing is known of what the view shows.
  await page.route('**/v1/pets?*', () => new Promise(() => {}))
  await page.reload()
  await fillIn(page, { name: 'Early' })
  await sendAndClose(page)
  expect(await page.locator('.note', { hasText: 'Early was added' }).innerText()).not.toContain('match')
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
  // Closing a sheet that a link has opened adds no step back to it.
  await page.goto('/#add')
  const steps = await page.evaluate('history.length')
  await close(page)
  expect(await page.evaluate('history.length')).toBe(steps)
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
  await nameField(page).fill('Newer')
  await line(page, 'Typed').getByRole('button', { name: 'Try again' }).click()
  await isAdded(page, 'Typed')
  expect((await app.stored('Typed')).map(({ categoryId }) => categoryId)).toEqual([12n])
})

const tray = (page: Page) => sheet(page).locator('.tray')

/** Answers the additions of these animals in this way, without the service. */
async function answer(page: Page, status: number, code: string, only = /./): Promise<void> {
  await page.route('**/v1/pets', route => {
    const request = route.request()
    if (request.method() !== 'POST' || !only.test(String(request.postDataJSON().name)))
      return route.fallback()
    return route.fulfill({ status, json: { code, message: `Refused as ${code}.`, status } })
  })
}

test('the tray of additions says what is wrong, corrects it only in an empty form, and never loses the focus', async () => {
  const page = await app.openSignedIn()
  await answer(page, 413, 'body_too_large', /^Large/)
  await answer(page, 400, 'invalid_body', /^Invalid/)
  await fillIn(page, { name: 'Large 1', category: '32', status: 'sold' })
  await nameField(page).focus()
  await page.keyboard.press('Enter')
  await page.keyboard.type('Large 2')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Invalid')
  await page.keyboard.press('Enter')
  await line(page, 'Invalid').getByText('not added: refused as invalid_body', { exact: true }).waitFor()
  await line(page, 'Large 1').getByText('not added: too large to send').waitFor()
  // Trying again would be of no use.
  expect(await tray(page).getByRole('button', { name: /Try/ }).count()).toBe(0)

  await page.reload()
  await line(page, 'Large 1').waitFor()
  await page.keyboard.type('Half')
  const correct = line(page, 'Large 1').getByRole('button', { name: 'Correct' })
  expect(await line(page, 'Invalid').innerText()).toContain('invalid_body. Finish or clear the form first.')
  expect(await correct.getAttribute('aria-disabled')).toBe('true')
  await correct.click({ force: true })
  expect(await nameField(page).inputValue()).toBe('Half')
  await sheet(page).getByRole('button', { name: 'Clear' }).click()
  expect(await page.locator('#name:focus').inputValue()).toBe('')

  // A double click dismisses one line, and the focus goes to the next one.
  await line(page, 'Large 2').getByRole('button', { name: 'Dismiss' }).dblclick()
  await line(page, 'Large 2').waitFor({ state: 'detached' })
  expect(await tray(page).locator('> ol > li').count()).toBe(2)
  expect(await focused(page)).toMatch(/Correct|Dismiss/)
  await line(page, 'Invalid').getByRole('button', { name: 'Dismiss' }).press('Enter')
  expect(await focused(page)).toMatch(/Correct|Dismiss/)
  await correct.click()
  expect(await page.locator('#name:focus').inputValue()).toBe('Large 1')
  expect(await tray(page).count()).toBe(0)
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await page.unroute('**/v1/pets')
  await page.keyboard.press('Enter')
  await isAdded(page, 'Large 1!')
  expect(await app.stored('Large 1!')).toMatchObject([{ categoryId: 32n, status: 'sold' }])
})

test('the tray is one line above the list, which leads to it', async () => {
  const page = await app.openSignedIn()
  await answer(page, 429, 'rate_limited')
  await fillIn(page, { name: 'Away', category: '34' })
  await sendAndClose(page)
  await isClosed(page)
  await page.getByText('1 animal needs your attention: 1 not added.').waitFor()
  await page.unroute('**/v1/pets')
  await answer(page, 503, 'outcome_unknown')
  await fillIn(page, { name: 'Perhaps', category: '34' })
  await sendAndClose(page)
  await page.getByText('2 animals need your attention: 1 may have been added, 1 not added.').waitFor()
  await page.unroute('**/v1/pets')
  await signOut(page)
  await signIn(page, await createKey(app.service().options.databaseUrl, 'another'))
  await page.getByRole('button', { name: 'Review' }).click()
  await line(page, 'Perhaps')
    .getByText(/^may have been added\. Look .* Idempotency-Key: \d+(-\d+){3}$/)
    .waitFor()
  await close(page)
  await signOut(page)
  await signIn(page)
  await page.getByRole('button', { name: 'Review' }).click()
  await line(page, 'Away').getByText('not added: too many requests').waitFor()
  await expectAccessible(page)
  await sheet(page).getByRole('button', { name: 'Try all again' }).click()
  await isAdded(page, 'Away')
  await isAdded(page, 'Perhaps')
  await close(page)
  // The button is gone, but the focus is not.
  await page.locator(':focus').waitFor()
})

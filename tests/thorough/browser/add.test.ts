import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { rowsOf, signIn, withConsole } from '../../support/browser/browser.ts'
import {
  fillIn,
  holdAdditions,
  isClosed,
  loseAnswers,
  send,
  sheet,
  storedAs,
} from '../../support/browser/form.ts'
import { petJson } from '../../support/http.ts'
import { needs } from '../../support/programs.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const stored = (name: string) => storedAs(app.service(), name)
const name = (page: Page) => page.getByLabel('Name', { exact: true })
const openForm = (page: Page) => page.getByRole('button', { name: 'Add animal', exact: true }).click()
const category = (page: Page) => page.getByLabel('Category', { exact: true })

const refuseAdditions = (page: Page, status: number, code: string, message: string) =>
  page.route('**/v1/pets', route =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status,
          contentType: 'application/json',
          body: JSON.stringify({ code, message, status }),
        })
      : route.continue(),
  )

describe('adding an animal', () => {
  test('by a double click shows one at the top of the list, marked as new; the news goes by itself', async () => {
    const page = await app.openSignedIn()
    await page.clock.install()
    await fillIn(page, { name: 'Rex', status: 'pending' })
    await sheet(page).getByRole('button', { name: 'Add animal' }).dblclick()
    await page.getByText('was added with ID').waitFor()
    const added = await stored('Rex')
    expect(added).toHaveLength(1)
    await page.locator('.animals .new').waitFor()
    const id = String(added[0]?.id)
    expect((await rowsOf(page))[0]).toEqual([id, `RexnewID ${id} · category 7`, '7', 'pending'])
    await page.clock.fastForward(11_000)
    await page.getByText('was added with ID').waitFor({ state: 'detached' })
  })

  test('takes a category by the name that it has in this browser, and offers those in use', async () => {
    await app.service().post(petJson({ name: 'Of a known category', categoryId: 4711n }))
    const page = await app.openSignedIn()
    await page.getByRole('button', { name: 'Of a known category' }).click()
    await page.getByLabel('Your name for category 4711').fill('Newts')
    await page.keyboard.press('Escape')
    await isClosed(page)
    await fillIn(page, { name: 'By name', category: 'newts' })
    expect(await page.locator('#known-categories option[value="4711"]').getAttribute('label')).toBe('Newts')
    await send(page)
    await page.getByText('was added with ID').waitFor()
    expect((await stored('By name')).map(({ categoryId }) => categoryId)).toEqual([4711n])
  })

  test('one after another with Ctrl+Enter keeps category and status, and lists what was added', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Series 1', category: '42', status: 'sold' })
    await page.getByLabel('Name', { exact: true }).focus()
    await page.keyboard.press('Control+Enter')
    await page.keyboard.type('Series 2')
    await page.keyboard.press('Control+Enter')
    await sheet(page).getByText('Added since you signed in: 2').click()
    expect(await sheet(page).locator('.plain-list li').allInnerTexts()).toEqual([
      expect.stringMatching(/^Series 2 ID \d+$/),
      expect.stringMatching(/^Series 1 ID \d+$/),
    ])
    expect(await stored('Series 2')).toMatchObject([{ categoryId: 42n, status: 'sold' }])
  })
})

describe('a form that cannot be sent', () => {
  test('says all that is wrong at the fields, moves to the first, and sends nothing', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: '' })
    const sent: string[] = []
    page.on('request', request => sent.push(request.method()))
    const bad: [string, string, string, string][] = [
      ['Name', ' ', '7', 'Enter a name.'],
      ['Name', 'x'.repeat(256), '7', 'Use at most 255 characters. This name has 256.'],
      ['Category', 'Rex', '9223372036854775808', 'Enter a number from -9223372036854775808 to'],
      ['Category', 'Rex', '3.5', 'Enter a whole number'],
      ['Category', 'Rex', '', 'Enter a category number.'],
    ]
    for (const [label, name, category, message] of bad) {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Category', { exact: true }).fill(category)
      await send(page)
      await page.locator('.field', { hasText: label }).getByText(message).waitFor()
      const field = page.getByLabel(label, { exact: true })
      expect(await field.evaluate(input => input === input.ownerDocument.activeElement)).toBe(true)
    }
    expect(sent).not.toContain('POST')
  })

  test('is refused in the words of the service, and a refused animal of a series can be corrected', async () => {
    const page = await app.openSignedIn()
    await refuseAdditions(page, 413, 'body_too_large', 'The body is larger than 64 KiB.')
    await fillIn(page, { name: 'Refused' })
    await send(page)
    await sheet(page).getByText('Too large to send').waitFor()
    // It would be of no use.
    expect(await sheet(page).innerText()).not.toMatch(/try again/i)
    await page.unroute('**/v1/pets')
    await refuseAdditions(page, 400, 'invalid_body', 'The body is invalid: name is of another time.')
    await send(page)
    await sheet(page).getByText('name is of another time').waitFor()
    await page.getByRole('button', { name: 'Add and start another' }).click()
    await sheet(page).getByText('was not added').waitFor()
    await page.unroute('**/v1/pets')
    await sheet(page).getByRole('button', { name: 'Correct it' }).click()
    expect(await name(page).inputValue()).toBe('Refused')
    await send(page)
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Refused')).toHaveLength(1)
  })
})

describe('only what was meant is stored', () => {
  test('typing on after "Add and start another" writes the next animal, whenever the answer comes', async () => {
    const page = await app.openSignedIn()
    const letGo = await holdAdditions(page)
    await fillIn(page, { name: 'Roxy', category: '3' })
    await page.getByRole('button', { name: 'Add and start another' }).dblclick()
    await page.keyboard.type('Isa')
    letGo()
    await sheet(page).getByText('was added with ID').first().waitFor()
    await page.keyboard.type('bella')
    expect([await name(page).inputValue(), await category(page).inputValue()]).toEqual(['Isabella', '3'])
    await send(page)
    await page.getByText(/Isabella.* was added with ID/).waitFor()
    expect(await stored('Roxy')).toHaveLength(1)
    expect((await stored('Isabella')).map(({ categoryId }) => String(categoryId))).toEqual(['3'])
  })

  test('after an empty form was sent, letters stay in the field where they are typed', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: '', category: '' })
    await send(page)
    await page.getByText('Enter a name').waitFor()
    await page.keyboard.type('Rexino', { delay: 30 })
    expect([await name(page).inputValue(), await category(page).inputValue()]).toEqual(['Rexino', ''])
  })

  test('what was lost on the way is not overwritten by the offer to add what was searched for', async () => {
    const page = await app.openSignedIn('/?q=Searched')
    await loseAnswers(page, 1)
    await fillIn(page, { name: 'Lost' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add “Searched”' }).click()
    expect(await name(page).inputValue()).toBe('Lost')
  })

  test('an animal that exists with this name and category is pointed out, and may be added', async () => {
    await app.service().post(petJson({ name: 'Twin', categoryId: 5n }))
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Twin', category: '5' })
    await sheet(page).getByText('already an animal with this name and category').waitFor()
    await send(page)
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Twin')).toHaveLength(2)
    // The category is offered to who added it, and to nobody after them.
    await openForm(page)
    expect(await category(page).inputValue()).toBe('5')
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page)
    await openForm(page)
    expect(await category(page).inputValue()).toBe('')
  })
})

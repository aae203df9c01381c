import { expect } from 'bun:test'
import { namesOf, rowsOf, withConsole } from '../../support/browser/browser.ts'
import { fillIn, send, storedAs } from '../../support/browser/form.ts'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)

const stored = (name: string) => storedAs(app.service(), name)

describe('adding an animal', () => {
  test('shows it in the list, marked as new', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Rex', status: 'pending' })
    await send(page)
    await page.getByText('was added with ID').waitFor()
    expect((await rowsOf(page)).at(-1)).toEqual(['1', 'RexnewID 1 · category 7', '7', 'pending'])
    expect(new URL(page.url()).hash).toBe('')
  })

  test('takes both ends of int64 and any text as they are', async () => {
    const page = await app.openSignedIn('/?limit=100')
    const names = ['<img src=x onerror="document.title=1">', "'; DROP TABLE animals; --", '  two  spaces  ']
    for (const [index, category] of ['-9223372036854775808', '9223372036854775807', '0'].entries()) {
      const name = names[index] ?? ''
      await fillIn(page, { name, category })
      await send(page)
      await page.locator('.note', { hasText: name.trim().slice(0, 8) }).waitFor()
      expect(await namesOf(page)).toContain(name)
      expect((await stored(name)).map(({ categoryId }) => String(categoryId))).toEqual([category])
      await page.getByRole('button', { name: 'Dismiss' }).click()
    }
    expect(await page.title()).toBe('Animals · Petstore · production')
  })

  test('a double click makes one animal', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Twice' })
    await page.getByRole('dialog').getByRole('button', { name: 'Add animal' }).dblclick()
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Twice')).toHaveLength(1)
  })
})

describe('what is wrong with a field stands at the field', () => {
  const bad: [string, string, string, string][] = [
    ['Name', ' ', '7', 'Enter a name.'],
    ['Name', 'x'.repeat(256), '7', 'Use at most 255 characters. This name has 256.'],
    ['Category', 'Rex', '9223372036854775808', 'Enter a number from -9223372036854775808 to'],
    ['Category', 'Rex', '-9223372036854775809', 'Enter a number from -9223372036854775808 to'],
    ['Category', 'Rex', '3.5', 'Enter a whole number'],
    ['Category', 'Rex', '', 'Enter a category number.'],
  ]
  test('each by each, and nothing is sent', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: '' })
    const sent: string[] = []
    page.on('request', request => sent.push(request.method()))
    for (const [label, name, category, message] of bad) {
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Category', { exact: true }).fill(category)
      await send(page)
      await page.locator('.field', { hasText: label }).getByText(message).waitFor()
    }
    expect(sent).not.toContain('POST')
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test("in the service's own words, where only the service knows", async () => {
    const page = await app.openSignedIn()
    await page.route('**/v1/pets', route =>
      route.request().method() === 'POST'
        ? route.fulfill({
            status: 400,
            contentType: 'application/json',
            body: '{"code":"invalid_body","message":"The body is invalid: name is of another time.","status":400}',
          })
        : route.continue(),
    )
    await fillIn(page, { name: 'Rex' })
    await send(page)
    await page.locator('.field', { hasText: 'Name' }).getByText('is of another time').waitFor()
  })
})

describe('a new animal is shown where it belongs', () => {
  test('beyond the page that is open, and marked so', async () => {
    for (let n = 0; n < 12; n++) await app.service().post(petJson({ name: `more ${n}` }))
    const page = await app.openSignedIn('/?limit=10')
    await fillIn(page, { name: 'Last' })
    await send(page)
    await page.getByText('New, on a later page').waitFor()
    expect((await namesOf(page)).at(-1)).toBe('Last')
  })

  test('with another status, one click away', async () => {
    const page = await app.openSignedIn('/?status=available&limit=100')
    await fillIn(page, { name: 'Sold one', status: 'sold' })
    await send(page)
    await page.getByRole('button', { name: 'Show sold animals' }).click()
    await page.locator('.animals').getByText('Sold one').waitFor()
    expect(await namesOf(page)).toEqual(['Sold one'])
  })
})

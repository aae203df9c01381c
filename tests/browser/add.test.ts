import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { namesOf, rowsOf, withConsole } from '../support/browser/browser.ts'
import { petJson } from '../support/http/exact.ts'
import { needs } from '../support/programs/needs.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)

interface Animal {
  readonly name: string
  readonly category?: string
  readonly status?: string
}

async function fillIn(page: Page, { name, category = '7', status }: Animal): Promise<void> {
  await page.getByRole('button', { name: 'Add animal' }).click()
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Category id').fill(category)
  if (status) await page.getByRole('dialog').getByText(status, { exact: true }).click()
}

const send = (page: Page): Promise<void> =>
  page.getByRole('dialog').getByRole('button', { name: 'Add animal' }).click()

const storedAs = async (name: string) =>
  (await app.service().fetch('/v1/pets?limit=100')).pets.filter(pet => pet.name === name)

describe('adding an animal', () => {
  test('shows it in the list, marked as new', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Rex', status: 'pending' })
    await expectAccessible(page)
    await send(page)
    await page.getByText('was added with the id').waitFor()
    expect((await rowsOf(page)).at(-1)).toEqual(['1', 'Rexnewid 1 · category 7', '7', 'pending'])
    expect(new URL(page.url()).hash).toBe('')
    await expectAccessible(page)
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
      expect((await storedAs(name)).map(({ categoryId }) => String(categoryId))).toEqual([category])
      await page.getByRole('button', { name: 'Dismiss' }).click()
    }
    expect(await page.title()).toBe('Petstore · production')
  })

  test('a double click makes one animal', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Twice' })
    await page.getByRole('dialog').getByRole('button', { name: 'Add animal' }).dblclick()
    await page.getByText('was added with the id').waitFor()
    expect(await storedAs('Twice')).toHaveLength(1)
  })

  test('a retry after a lost answer makes one animal', async () => {
    const page = await app.openSignedIn()
    let isLost = false
    // The service has it and has answered; the answer does not arrive.
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST' || isLost) return route.continue()
      isLost = true
      await route.fetch()
      return route.abort()
    })
    await fillIn(page, { name: 'Lost' })
    await send(page)
    await page.getByText('The service cannot be reached').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('was added with the id').waitFor()
    expect(isLost).toBe(true)
    expect(await storedAs('Lost')).toHaveLength(1)
  })

  test('a form changed after a lost answer does not pass for the first one', async () => {
    const page = await app.openSignedIn()
    await page.route('**/v1/pets', async route => {
      if (!route.request().postData()?.includes('Before')) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await fillIn(page, { name: 'Before' })
    await send(page)
    await page.getByText('The service cannot be reached').waitFor()
    await page.getByLabel('Name').fill('After')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('The first version of this animal was added').waitFor()
    await page.getByRole('button', { name: 'Add this one as well' }).click()
    await page.getByText('was added with the id').waitFor()
    expect([(await storedAs('Before')).length, (await storedAs('After')).length]).toEqual([1, 1])
  })
})

describe("the service's own words stand at the field they are about", () => {
  const bad: [string, string, string, string][] = [
    ['Name', ' ', '7', 'must hold at least one character that is not white space'],
    ['Name', 'x'.repeat(256), '7', 'must have 1 to 255 characters'],
    ['Category id', 'Rex', '9223372036854775808', 'must be an integer from -9223372036854775808 to'],
    ['Category id', 'Rex', '-9223372036854775809', 'must be an integer from -9223372036854775808 to'],
    ['Category id', 'Rex', '3.5', 'must be an integer from -9223372036854775808 to'],
    ['Category id', 'Rex', '', 'is required'],
  ]
  test('each by each, and both at once', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: '' })
    for (const [label, name, category, message] of bad) {
      await page.getByLabel('Name').fill(name)
      await page.getByLabel('Category id').fill(category)
      await send(page)
      await page.locator('.field', { hasText: label }).getByText(message).waitFor()
    }
    await page.getByLabel('Name').fill('')
    await page.getByLabel('Category id').fill('9223372036854775808')
    await send(page)
    await page.locator('.field', { hasText: 'Name' }).getByText('must have 1 to 255 characters').waitFor()
    await page.locator('.field', { hasText: 'Category id' }).getByText('must be an integer').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('a new animal is shown where it belongs', () => {
  test('beyond the page that is open, after those in between', async () => {
    for (let n = 0; n < 12; n++) await app.service().post(petJson({ name: `more ${n}` }))
    const page = await app.openSignedIn('/?limit=10')
    await fillIn(page, { name: 'Last' })
    await send(page)
    await page.getByText('more animals in between').waitFor()
    expect((await namesOf(page)).at(-1)).toBe('Last')
    await expectAccessible(page)
  })

  test('with another status, one click away', async () => {
    const page = await app.openSignedIn('/?status=available&limit=100')
    await fillIn(page, { name: 'Sold one', status: 'sold' })
    await send(page)
    await page.getByRole('button', { name: 'Show what is sold' }).click()
    await page.getByText('Sold one').waitFor()
    expect(await namesOf(page)).toEqual(['Sold one'])
  })
})

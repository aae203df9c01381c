import { expect } from 'bun:test'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, signIn } from '../support/browser/browser.ts'
import { holdAnswers } from '../support/browser/network.ts'
import { button, chooseFile, close, heading, isClosed, sheet } from '../support/browser/sheet.ts'
import { createKey } from '../support/process.ts'

const { test, withConsole } = browserTests()
const app = withConsole()
const open = () => app.openSignedIn('/#import')
const ndjson = (name: string) =>
  Array.from({ length: 30 }, (_, n) => `{"name":"${name} ${n}","categoryId":9007199254740993}`).join('\n')

/** The stored animals of `ndjson`: each of them once. */
async function expectAllOnce(name: string): Promise<void> {
  const stored = await app.stored(new RegExp(`^${name}`))
  expect([stored.length, new Set(stored.map(pet => pet.name)).size]).toEqual([30, 30])
  expect(new Set(stored.map(({ categoryId }) => categoryId))).toEqual(new Set([9007199254740993n]))
}

test('no animal is added twice or lost by a pause, a closed sheet, or the same file after a reload', async () => {
  const page = await open()
  const isHeld = await holdAnswers(page, 8)
  await chooseFile(page, 'animals.ndjson', ndjson('Line'))
  await button(page, 'Add 30 animals').dblclick()
  await isHeld()
  await button(page, 'Close').click()
  await isClosed(page)
  await page.locator('[role=status]:has(+ [max="30"])', { hasText: 'Adding animals: 8 of 30' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Open the import' }).click()
  await button(page, 'Pause').dblclick()
  await heading(page, /^Paused at 8 of 30/)
  await page.getByText('4 more may have been added').waitFor()
  await sheet(page).getByRole('heading', { name: '8 lines added' }).waitFor()
  await expectAccessible(page)
  await close(page)
  await page.getByText('animals.ndjson: Paused at 8 of 30').waitFor()
  expect(await page.getByRole('button', { name: 'Dismiss the import' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Open the import' }).click()
  await page.unroute('**/v1/pets')
  await button(page, 'Resume').click()
  await heading(page, /^30 animals were added/)
  await close(page)
  await page.getByRole('button', { name: 'Dismiss the import' }).click()
  await page.getByText('animals.ndjson: 30 animals were added').waitFor({ state: 'detached' })
  await page.goto('/#import')
  await page.reload()
  await chooseFile(page, 'animals.ndjson', ndjson('Line'))
  await heading(page, /^Nothing new/)
  expect(await button(page, /^Add/).count()).toBe(0)
  await expectAllOnce('Line')
})

test('after an API key is refused, the report stays, leaving asks first, and the rest is added with another one', async () => {
  const page = await app.open('/#import')
  await app.add({ name: 'Of two keys 0', categoryId: 9007199254740993n })
  const key = await createKey(app.service().options.databaseUrl, 'of an import')
  await signIn(page, key)
  const isHeld = await holdAnswers(page, 8)
  await chooseFile(page, 'animals.ndjson', ndjson('Of two keys'))
  await sheet(page).getByText('Add too').click()
  await button(page, 'Add 30 animals').click()
  await isHeld()
  await app.revoke('of an import', key)
  await page.evaluate("dispatchEvent(new Event('online'))")
  await page.getByLabel('API key', { exact: true }).waitFor()
  await page.unroute('**/v1/pets')
  await signIn(page)
  await heading(page, /^Paused at 8 of 30/)
  const asksFirst = () =>
    page.evaluate<boolean>("!dispatchEvent(new Event('beforeunload', { cancelable: true }))")
  expect(await asksFirst()).toBe(true)
  await button(page, 'Resume').click()
  await button(page, /^Add \d+ animals$/).click()
  await heading(page, /^\d+ animals were added/)
  expect(await asksFirst()).toBe(false)
  // The choice to add what was there already does not hold for what this import has added.
  const names = (await app.stored(/^Of two keys/)).map(({ name }) => name)
  const twice = names.filter(name => name.endsWith(' 0'))
  expect([names.length, new Set(names).size, twice.length]).toEqual([31, 30, 2])
})

test('what someone else adds before or while the file is looked at is not added twice, also if the service refuses or asks to wait', async () => {
  const page = await open()
  await page.getByText('Up to date').waitFor()
  await app.add({ name: 'Of before', categoryId: 3n, status: 'available' })
  await page.route('**/v1/pets?*', route => route.abort('connectionrefused'))
  await chooseFile(page, 'three.csv', 'name,category\nOf before,3\nOf both,3\nOf one,3\n')
  await heading(page, 'Comparing with the store…')
  await sheet(page).getByText('The service cannot be reached').waitFor()
  expect(await button(page, /^Add/).count()).toBe(0)
  await page.unroute('**/v1/pets?*')
  await page.evaluate("dispatchEvent(new Event('online'))")
  await button(page, 'Add 2 animals').waitFor()
  await app.add({ name: 'Of both', categoryId: 3n, status: 'available' })
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  // The service asks to wait for a second.
  const headers = { 'retry-after': '1' }
  const later = { status: 503, headers, json: { code: 'unavailable', message: 'Later.', status: 503 } }
  await page.route('**/v1/pets', route => route.fulfill(later), { times: 1 })
  const refused = { status: 422, json: { code: 'some_later_code', message: 'Not this.', status: 422 } }
  await page.route('**/v1/pets', route => route.fulfill(refused), { times: 1 })
  await button(page, 'Add 1 animal').click()
  await heading(page, /^Stopped at 0 of 1/)
  await sheet(page).getByRole('alert').getByText('Not this.').waitFor()
  await button(page, 'Resume').click()
  await page.getByText(/cannot respond right now. No line is lost: the import continues at \d/).waitFor()
  await heading(page, /^1 animal was added/)
  expect(await page.getByText('the import continues').count()).toBe(0)
  expect(await app.stored('Of both')).toHaveLength(1)
})

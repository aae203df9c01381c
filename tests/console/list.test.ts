import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, HIDE, namesOf, rowsOf, signIn } from '../support/browser/browser.ts'
import { nameField } from '../support/browser/form.ts'
import { close, sheet } from '../support/browser/sheet.ts'
import { eventually } from '../support/process.ts'

const { beforeAll, test, withConsole } = browserTests()

const LOOK_FOR_NEWS_MS = 15_000
const SHOW = `delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`
const [app, small, empty] = [withConsole(), withConsole(), withConsole({ PETSTORE_ENV: 'staging' })]
const counted = (page: Page) => page.locator('.total strong').waitFor()

test('a new store says how to add the first animal, or a file of them', async () => {
  const page = await empty.open()
  await page.getByText('For the person who runs the service').click()
  expect(await page.title()).toBe('Sign in · Petstore · staging')
  expect(await page.locator('.header-staging .environment-staging').textContent()).toContain('staging')
  await expectAccessible(page)
  await signIn(page)
  await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Import a file' }).click()
  await page.getByRole('heading', { name: 'Import' }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Add the first animal' }).click()
  await page.getByRole('heading', { name: 'Add an animal' }).waitFor()
})

test('new animals of others are noticed by one small request while the page is seen, and shown on demand', async () => {
  const unchanged = (): number => small.service().output.log.filter(({ status }) => status === 304).length
  const page = await small.openSignedIn('/?page=2')
  await page.clock.install()
  await page.reload()
  await counted(page)
  const before = unchanged()
  const sent: string[] = []
  page.on('request', request => sent.push(request.url()))
  await page.clock.fastForward(LOOK_FOR_NEWS_MS)
  await page.evaluate(HIDE)
  await eventually('an unchanged response', () => unchanged() > before || undefined)
  expect(sent.splice(0)).toHaveLength(1)
  for (const name of ['One', 'Two', 'Three']) await small.add({ name })
  await page.clock.fastForward(4 * LOOK_FOR_NEWS_MS)
  await page.evaluate(SHOW)
  await page.getByRole('status').getByText('3 new animals', { exact: true }).waitFor()
  expect(sent).toHaveLength(1)
  expect((await namesOf(page))[0]).toBe('No. 4')
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  await page.getByText('1–50 of 57').waitFor()
  // The button is gone, but the focus is not.
  await page.locator(':focus').waitFor()
  expect((await namesOf(page))[0]).toBe('Three')
})

beforeAll(async () => {
  for (let n = 1; n <= 54; n++) await small.add({ name: `No. ${n}` })
  await app.add({ name: 'least', categoryId: -(2n ** 63n) })
  await app.add({ name: '<img src=x onerror=alert(1)>', categoryId: 2n ** 63n - 1n })
  for (let n = 3; n <= 250; n++)
    await app.add({
      name: n === 3 ? 'a\u200cb\u200d\u200d\n\n\u202e\u00adc' : `No. ${n}`,
      status: n % 5 === 0 ? 'sold' : 'available',
      categoryId: BigInt(n % 3),
    })
})

test('the list has the newest first, exact to the last digit, and names as text', async () => {
  const page = await app.openSignedIn()
  expect((await namesOf(page)).slice(0, 2)).toEqual(['No. 250', 'No. 249'])
  await page.goto('/?sort=id')
  const [least, markup] = await rowsOf(page)
  expect([least?.[0], least?.[3]]).toEqual(['1', '-9223372036854775808'])
  expect(markup?.[3]).toBe('9223372036854775807')
  // One joiner is part of a word; a run of them cannot be seen.
  const names = ['<img src=x onerror=alert(1)>', 'a\u200cbU+200D×2↵×2U+202EU+00ADc']
  expect((await namesOf(page)).slice(1, 3)).toEqual(names)
})

/** Runs in the page: whether the console takes a click on an animal that is meant for the browser. */
const TAKES = (key: string) => `(() => {
  let isTaken
  const look = event => (isTaken = event.defaultPrevented, event.preventDefault())
  addEventListener('click', look, { once: true })
  const click = new MouseEvent('click', { ${key}: true, bubbles: true, cancelable: true })
  document.querySelector('.name-link').dispatchEvent(click)
  return isTaken
})()`

test('with a key that asks the browser for another tab or window, a row opens there', async () => {
  const page = await app.openSignedIn()
  await namesOf(page)
  for (const key of ['ctrlKey', 'metaKey', 'shiftKey'])
    expect([key, await page.evaluate<boolean>(TAKES(key))]).toEqual([key, false])
  expect(await page.evaluate<boolean>(TAKES('altKey'))).toBe(true)
})

test('the list is read once: pages, filters, their counts, back and forward cost no request', async () => {
  const page = await app.openSignedIn()
  await counted(page)
  expect(await page.getByRole('navigation', { name: 'Filter by status' }).innerText()).toMatch(
    /250\s*animals\s*available\s*200\s*80 %\s*pending\s*0\s*0 %\s*sold\s*50\s*20 %/i,
  )
  // A page that is not seen does not look for new animals.
  await page.evaluate(HIDE)
  const sent: string[] = []
  page.on('request', request => request.url().includes('/v1/') && sent.push(request.url()))
  await page.getByRole('link', { name: /^pending/ }).click()
  await page.getByRole('heading', { name: 'No animal matches' }).waitFor()
  await page.getByRole('button', { name: 'Show all animals' }).click()
  await page.getByText('1–50 of 250').waitFor()
  expect(await page.title()).toBe('Animals · Petstore · production')
  await page.getByRole('link', { name: /^available/ }).click()
  await page.getByRole('button', { name: 'Next page' }).click()
  await page.getByText('51–100 of 200').waitFor()
  await page.goBack()
  await page.getByText('1–50 of 200').waitFor()
  await page.goForward()
  await page.getByText('51–100 of 200').waitFor()
  expect(sent).toEqual([])
  await expectAccessible(page)
  const shown = await namesOf(page)
  expect(new URL(page.url()).search).toBe('?status=available&page=2')
  await page.reload()
  expect(await namesOf(page)).toEqual(shown)
  await page.goto('/?page=9999&sort=-name')
  await page.getByText('201–250 of 250').waitFor()
  await page.getByText('250 animals, by name, reversed, page 5 of 5').waitFor({ state: 'attached' })
})

test('the list is searched: the title says for what; what is not found can be added', async () => {
  const page = await app.openSignedIn('/?status=sold&q=No.+251')
  await page.getByRole('button', { name: 'Add “No. 251”' }).waitFor()
  expect(await page.title()).toBe('Find “No. 251” · Petstore · production')
  expect(await page.locator('.overview').innerText()).toMatch(/^0\s*of 250 animals(?!.*NaN)/is)
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Add “No. 251”' }).click()
  expect(await nameField(page).inputValue()).toBe('No. 251')
})

test('the list says how far it is read, and shows no row, number or page and exports nothing before all are there, or all of a status chosen first', async () => {
  const page = await app.openSignedIn()
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  const json = Array(10_000).fill({ id: 1, name: 'Rex', categoryId: 7, status: 'available' })
  const headers = { Link: '</v1/pets?limit=100&cursor=x>; rel="next"' }
  await page.route('**/v1/pets?limit=100', route => route.fulfill({ json, headers }))
  await page.route('**/v1/pets?*cursor=x', route => promise.then(() => route.fulfill({ json: [] })))
  await page.reload()
  await page.getByText('Reading 10,000 …').waitFor()
  await page.getByText('Choose a status to read its animals first.').waitFor()
  const early = page.locator('.animals, .pager, .total strong, .up-to-date, .list button')
  expect(await early.count()).toBe(0)
  await page.evaluate("location.hash = 'export'")
  await sheet(page).locator('.sheet-foot [aria-disabled=true]').waitFor()
  await close(page)
  // The counts come later, but the filters are there.
  await page.getByRole('link', { name: 'sold', exact: true }).click()
  await page.reload()
  await page.getByText('1–50 of 50').waitFor()
  letGo()
  await page.getByRole('heading', { name: 'No animal matches' }).waitFor()
  await counted(page)
})

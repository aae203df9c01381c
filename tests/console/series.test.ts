import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTests } from '../support/browser/browser.ts'
import { fillIn, isAdded, nameField, send } from '../support/browser/form.ts'
import { holdAdditions } from '../support/browser/network.ts'
import { close, sheet } from '../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()

/** A signed-in page that added an animal of category 100 before, so that its form suggests it. */
async function openAfterFirst(): Promise<Page> {
  const page = await app.openSignedIn()
  await fillIn(page, { name: 'First', category: '100', status: 'sold' })
  await send(page)
  await isAdded(page, 'First')
  await close(page)
  await page.keyboard.press('n')
  return page
}

test('typed on at once, by Enter, a held Enter or a double click on "Add and next", each animal is added once', async () => {
  const page = await openAfterFirst()
  await close(page)
  const letGo = await holdAdditions(page)
  await page.keyboard.type('nRunner')
  expect(await nameField(page).inputValue()).toBe('Runner')
  for (let n = 0; n < 9; n++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await sheet(page).getByText('Enter a name').count()).toBe(0)
  await page.keyboard.type('Kermit')
  await sheet(page).getByRole('button', { name: 'Add and next' }).dblclick()
  await page.keyboard.type('Miss Piggy')
  expect(await nameField(page).inputValue()).toBe('Miss Piggy')
  await page.keyboard.press('Enter')
  for (const letter of 'abcde') {
    await page.keyboard.type(letter)
    await page.keyboard.press('Enter')
  }
  await sheet(page).getByText('8 on the way, 1 added', { exact: true }).waitFor()
  letGo()
  await sheet(page).getByText('9 added', { exact: true }).waitFor()
  expect(await nameField(page).inputValue()).toBe('')
  const stored = await app.stored(/^(Runner|Kermit|Miss Piggy|.)$/)
  expect(stored.map(({ name }) => name).toSorted()).toEqual(['Kermit', 'Miss Piggy', 'Runner', ...'abcde'])
  // The category is that of the first one, and the status the usual one.
  for (const pet of stored) expect(pet).toMatchObject({ categoryId: 100n, status: 'available' })
})

test('picks choose a category and leave the focus where one types; the last used one comes first', async () => {
  for (let n = 0; n < 20; n++) await app.add({ name: 'Of a pick', categoryId: 900n })
  const page = await openAfterFirst()
  const picks = sheet(page).getByRole('group', { name: 'Often used' }).getByRole('button')
  expect((await picks.allInnerTexts()).slice(0, 2)).toEqual(['100', '900'])
  await page.keyboard.type('Pi')
  await picks.nth(1).click()
  await page.keyboard.type('cked')
  expect(await nameField(page).inputValue()).toBe('Picked')
  expect(await picks.nth(1).getAttribute('aria-pressed')).toBe('true')
  await sheet(page).getByText('20 animals. Or type another').waitFor()
  await page.keyboard.press('Enter')
  await isAdded(page, 'Picked')
  // They do not move under the pointer while the form is open.
  expect((await picks.allInnerTexts()).slice(0, 2)).toEqual(['100', '900'])
  await sheet(page).getByText('21 animals. Or type another').waitFor()
})

/** Runs in the page: collects each text that a live region gets. */
const LISTEN = `{
  window.heard = []
  new MutationObserver(changes => {
    const regions = new Set(changes.map(({ target }) => (target.closest ? target : target.parentElement)?.closest('[role=status], [role=alert]')))
    for (const region of regions) if (region?.textContent) heard.push(region.textContent)
  }).observe(document.body, { childList: true, characterData: true, subtree: true })
}`

test('each outcome is announced once', async () => {
  const page = await openAfterFirst()
  await page.evaluate(LISTEN)
  for (const each of ['Told', 'Told again']) {
    await page.keyboard.type(each)
    await page.keyboard.press('Enter')
    await isAdded(page, each)
  }
  const heard = await page.evaluate<string[]>('heard')
  expect(heard.filter(text => text.includes('added'))).toEqual([
    expect.stringMatching(/^Told added, ID \d+$/),
    expect.stringMatching(/^Told again added, ID \d+$/),
  ])
})

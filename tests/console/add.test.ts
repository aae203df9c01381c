import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, CLIPBOARD, rowsOf } from '../support/browser/browser.ts'
import { categoryField, fillIn, isAdded, nameField, send, sendAndClose } from '../support/browser/form.ts'
import { holdAdditions } from '../support/browser/network.ts'
import { close, sheet } from '../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()

test('a double click adds one animal at the top of the list, marked as new', async () => {
  const page = await app.openSignedIn()
  await fillIn(page, { name: 'Rex', status: 'pending' })
  await sheet(page).getByRole('button', { name: 'Add and close' }).dblclick()
  await page.getByRole('status').getByText('was added with ID').waitFor()
  const added = await app.stored('Rex')
  expect(added).toHaveLength(1)
  await page.locator('.animals .new').waitFor()
  const id = String(added[0]?.id)
  expect((await rowsOf(page))[0]).toEqual([id, 'Rexnew', 'pending', '7', ''])
})

test('a form that cannot be sent says all that is wrong at the fields, moves to the first, and sends nothing', async () => {
  const page = await app.openSignedIn()
  const sent: string[] = []
  page.on('request', request => sent.push(request.method()))
  const isSaid = (label: string, problem: string) =>
    page.locator('.field', { hasText: label }).getByText(problem).waitFor()
  await fillIn(page, { name: 'x'.repeat(256), category: '9223372036854775808' })
  await send(page)
  await isSaid('Name', 'Use at most 255 characters. This name has 256.')
  await isSaid('Category', 'Enter a whole number from -9223372036854775808 to')
  await page.locator('#name[aria-describedby=name-about]:focus ~ #name-about').waitFor()
  await expectAccessible(page)
  await nameField(page).fill('Rex')
  await categoryField(page).fill('')
  await sendAndClose(page)
  await isSaid('Category', 'Enter a category number.')
  await page.locator('#category:focus').waitFor()
  expect(sent).not.toContain('POST')
})

test('the next name replaces one that was left in the form; several pasted lines are none, one line is', async () => {
  const page = await app.openSignedIn('/', CLIPBOARD)
  await fillIn(page, { name: 'Bel' })
  await close(page)
  await page.keyboard.type('nMax')
  await page.keyboard.press('Enter')
  await isAdded(page, 'Max')
  expect((await app.stored(/^(Bel)?Max$/)).map(({ name }) => name)).toEqual(['Max'])
  const paste = async (text: string) => {
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
    await page.keyboard.press('Control+V')
  }
  await nameField(page).fill('Kept')
  await paste('Rex\r\nMia\r\n')
  await page.locator('.field', { hasText: 'Name' }).getByText('Paste one name at a time.').waitFor()
  expect(await nameField(page).inputValue()).toBe('Kept')
  await nameField(page).fill('')
  await paste('Pasted\r\n')
  await nameField(page).press('Enter')
  await isAdded(page, 'Pasted')
  await close(page)
  expect(await page.locator('.animals .new .name-text').allTextContents()).toEqual(['Pasted'])
})

test('an animal that exists with this name and category is pointed out, and may be added', async () => {
  await app.add({ name: 'Twin', categoryId: 5n })
  const page = await app.openSignedIn()
  const hint = sheet(page).getByText('already an animal with this name and category')
  // Blanks around a name are not meant.
  await fillIn(page, { name: ' Twin ', category: '6' })
  expect(await hint.count()).toBe(0)
  await categoryField(page).fill('5')
  await hint.waitFor()
  await expectAccessible(page)
  await send(page)
  await isAdded(page, 'Twin')
  expect(await app.stored('Twin')).toHaveLength(2)
})

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
  // Its Enter confirms characters, and sends no animal.
  const ofInputMethod = `new KeyboardEvent('keydown', { key: 'Enter', keyCode: 229 })`
  await page.evaluate(`document.querySelector('#category').dispatchEvent(${ofInputMethod})`)
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

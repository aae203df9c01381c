import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTests } from '../../support/browser/browser.ts'
import { fillIn, isAdded, nameField, send } from '../../support/browser/form.ts'
import { delayAdditions } from '../../support/browser/network.ts'
import { close, sheet } from '../../support/browser/sheet.ts'
import { eventually } from '../../support/process.ts'

const { beforeEach, test, withConsole } = browserTests()
const app = withConsole()
/** Each test has its own category. */
let category = 100
beforeEach(() => void category++)

const stored = async (): Promise<string[]> =>
  (await app.service().fetch('/v1/pets?limit=100')).pets
    .filter(({ categoryId }) => categoryId === BigInt(category))
    .map(pet => pet.name)
const storedInEnd = (count: number) =>
  eventually(`${count} are stored`, async () => ((await stored()).length >= count ? stored() : undefined))

/** A signed-in page that added an animal of this category before, so that its form suggests it. */
async function openAfterFirst(delayMs: number): Promise<Page> {
  const page = await app.openSignedIn()
  await fillIn(page, { name: 'First', category: String(category), status: 'sold' })
  await send(page)
  await isAdded(page, 'First')
  await close(page)
  await delayAdditions(page, delayMs)
  await page.keyboard.press('n')
  return page
}

test('Enter or a double click on "Add and next", and typing on with a space, loses nothing', async () => {
  const page = await openAfterFirst(300)
  await page.keyboard.type('Fast One')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Kermit')
  await sheet(page).getByRole('button', { name: 'Add and next' }).dblclick()
  await page.keyboard.type('Miss Piggy')
  expect(await nameField(page).inputValue()).toBe('Miss Piggy')
  await page.keyboard.press('Enter')
  await isAdded(page, 'Miss Piggy')
  expect(await nameField(page).inputValue()).toBe('')
  await sheet(page).getByText('4 added', { exact: true }).waitFor()
  expect((await storedInEnd(4)).toSorted()).toEqual(['Fast One', 'First', 'Kermit', 'Miss Piggy'])
  // The category is that of the first one, and the status the usual one.
  expect(await app.stored('Fast One')).toMatchObject([{ status: 'available' }])
})

test('n and letters at once are typed into the form, a held Enter adds one, and eight are eight', async () => {
  const page = await openAfterFirst(300)
  await close(page)
  await page.keyboard.type('nRunner')
  expect(await nameField(page).inputValue()).toBe('Runner')
  await page.keyboard.down('Enter')
  for (let n = 0; n < 8; n++) await page.keyboard.down('Enter')
  await page.keyboard.up('Enter')
  expect(await sheet(page).getByText('Enter a name').count()).toBe(0)
  for (const letter of 'abcdefgh') {
    await page.keyboard.type(letter)
    await page.keyboard.press('Enter')
  }
  expect((await storedInEnd(10)).toSorted()).toEqual(['First', 'Runner', ...'abcdefgh'])
})

test('picks choose a category and leave the focus where one types; the last used one comes first', async () => {
  for (let n = 0; n < 20; n++) await app.add({ name: 'Of a pick', categoryId: 900n })
  const page = await openAfterFirst(0)
  const picks = sheet(page).getByRole('group', { name: 'Often used' }).getByRole('button')
  expect((await picks.allInnerTexts()).slice(0, 2)).toEqual([String(category), '900'])
  await page.keyboard.type('Pi')
  await picks.nth(1).click()
  await page.keyboard.type('cked')
  expect(await nameField(page).inputValue()).toBe('Picked')
  expect(await picks.nth(1).getAttribute('aria-pressed')).toBe('true')
  await sheet(page).getByText('20 animals. Or type another').waitFor()
  await page.keyboard.press('Enter')
  await isAdded(page, 'Picked')
  // They do not move under the pointer while the form is open.
  expect((await picks.allInnerTexts()).slice(0, 2)).toEqual([String(category), '900'])
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
  const page = await openAfterFirst(0)
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

/** Runs in the page: whether all of the focused element is in view, and nothing covers it. */
const IS_SEEN = `(() => {
  const focused = document.activeElement.closest('.segment') ?? document.activeElement
  const { left, right, top, bottom } = focused.getBoundingClientRect()
  const isAt = y => focused.contains(document.elementFromPoint((left + right) / 2, y))
  return left >= 0 && right <= innerWidth && isAt(top + 2) && isAt(bottom - 2)
})()`

test('at a zoom of 400 %, whatever has the focus is in view', async () => {
  const page = await openAfterFirst(0)
  // 1280 by 1024 pixels.
  await page.setViewportSize({ width: 320, height: 256 })
  await page.keyboard.type('Zoomed')
  const stops: string[] = []
  for (;;) {
    const [stop, isSeen] = await page.evaluate<[string, boolean]>(
      `[document.activeElement.outerHTML, ${IS_SEEN}]`,
    )
    // After the last stop, the focus is in the browser's own controls.
    if (stop.startsWith('<body')) break
    stops.push(stop)
    expect([stop, isSeen]).toEqual([stop, true])
    await page.keyboard.press('Tab')
  }
  expect(stops.length).toBeGreaterThanOrEqual(6)
  await nameField(page).focus()
  await page.keyboard.press('Enter')
  await isAdded(page, 'Zoomed')
  expect(await page.evaluate<boolean>(IS_SEEN)).toBe(true)
})

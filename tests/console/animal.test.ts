import { expect } from 'bun:test'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, HIDE } from '../support/browser/browser.ts'
import { close, isClosed, sheet } from '../support/browser/sheet.ts'

const { beforeAll, test, withConsole } = browserTests()
const app = withConsole()
beforeAll(async () => {
  for (const name of ['Rex', '\n'.repeat(200).concat('x'), '\u200b\u202e\u2066']) await app.add({ name })
})

test('an animal has an address, though it was added since the store was read', async () => {
  const page = await app.openSignedIn()
  await page.locator('.animals').waitFor()
  await page.evaluate(HIDE)
  const { id } = await app.add({ name: 'Long '.repeat(50) })
  await page.evaluate(`location.hash = 'animal=${id}'`)
  await sheet(page).getByRole('heading', { name: /^Long/ }).waitFor()
  await expectAccessible(page)
  await page.goto('/#animal=1')
  await page.getByRole('heading', { name: 'Rex' }).waitFor()
})

test('the buttons of an animal lead to those before and after it, quickly too, and back to the row of the last', async () => {
  const page = await app.openSignedIn('/?sort=id#animal=3')
  const step = (to: string) => sheet(page).getByRole('button', { name: `${to} animal` })
  const isShown = (place: number) => sheet(page).getByText(`${place} of`).waitFor()
  await isShown(3)
  await page.keyboard.press('Alt+ArrowDown')
  await step('Previous').dblclick()
  await isShown(1)
  expect(await step('Previous').getAttribute('aria-disabled')).toBe('true')
  await step('Next').click()
  await isShown(2)
  // Before the page has been painted again.
  const closeAtOnce = `new MutationObserver(() => document.querySelector('.sheet-close').click())`
  await page.evaluate(
    `${closeAtOnce}.observe(document.querySelector('.sheet-foot'), { characterData: true, subtree: true })`,
  )
  await page.keyboard.press('k')
  await isClosed(page)
  await page.locator('.name-link[href$="#animal=1"]:focus').waitFor()
})

test('n adds, ? helps, j and k move; not while something is typed, and not once they are turned off', async () => {
  const page = await app.openSignedIn('/?sort=id')
  await page.locator('.animals').waitFor()
  await page.getByLabel('Find').press('n')
  expect(await page.getByLabel('Find').inputValue()).toBe('n')
  await page.keyboard.press('Escape')
  expect(await page.getByLabel('Find').inputValue()).toBe('')
  await page.locator('h1').click()
  for (const key of ['j', 'j', 'ArrowDown', 'k', 'ArrowUp', 'ArrowDown']) await page.keyboard.press(key)
  await page.locator('.name-link[href$="#animal=2"]:focus').waitFor()
  for (const held of ['Alt', 'Control', 'Meta']) await page.keyboard.press(`${held}+n`)
  expect(await sheet(page).count()).toBe(0)
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'Add an animal' }).waitFor()
  await close(page)
  await page.keyboard.press('?')
  await page.getByLabel('Single-key shortcuts').uncheck()
  await expectAccessible(page)
  await close(page)
  await page.reload()
  await page.locator('.animals').waitFor()
  await page.keyboard.press('n')
  expect(await sheet(page).count()).toBe(0)
})

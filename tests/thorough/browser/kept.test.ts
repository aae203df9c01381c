import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTests, namesOf, signIn } from '../../support/browser/browser.ts'
import { fillIn, isAdded, send } from '../../support/browser/form.ts'
import { close } from '../../support/browser/sheet.ts'

const { beforeAll, test, withConsole } = browserTests()
const app = withConsole()
beforeAll(async () => {
  for (const categoryId of [51n, 52n]) await app.add({ name: `Of ${categoryId}`, categoryId })
})

/** Another tab of the same browser. A new tab has to sign in. */
async function anotherTab(page: Page): Promise<Page> {
  const tab = await page.context().newPage()
  await tab.goto('/')
  await signIn(tab)
  return tab
}

async function nameCategory(page: Page, place: number, name: string): Promise<void> {
  await page.goto('/#categories')
  await page.getByLabel(`Your name for category ${51 + place}`).fill(name)
  await page.keyboard.press('Tab')
  await close(page)
}

test('two tabs keep the category names of both, show those of the other, and keep one that is being typed', async () => {
  const first = await app.openSignedIn()
  const second = await anotherTab(first)
  await nameCategory(first, 0, 'Newts')
  await second.locator('.animals').getByText('Newts').waitFor()
  await nameCategory(second, 1, 'Toads')
  await first.locator('.animals').getByText('Toads').waitFor()
  await first.goto('/#categories')
  const field = first.getByLabel('Your name for category 51')
  await field.fill('')
  await field.pressSequentially('Half a na')
  await nameCategory(second, 1, 'Frogs')
  await first.locator('.animals').getByText('Frogs').waitFor()
  const read = first.waitForResponse('**/v1/pets?*')
  await first.evaluate("dispatchEvent(new Event('online'))")
  await read
  await first.keyboard.type('me')
  expect(await field.inputValue()).toBe('Half a name')
  await first.keyboard.press('Escape')
  for (const tab of [first, second]) {
    await tab.locator('.animals').getByText('Half a name').waitFor()
    await tab.reload()
    await tab.locator('.animals').getByText('Half a name').waitFor()
    await tab.locator('.animals').getByText('Frogs').waitFor()
  }
})

/** Runs in the page before its scripts: what a browser does with blocked site data. */
const BLOCK = `for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied.', 'SecurityError') } })`

test('with blocked site data the console works until it is closed', async () => {
  const page = await app.open('about:blank')
  await page.addInitScript(BLOCK)
  await page.goto('/')
  await signIn(page)
  await fillIn(page, { name: 'Unkept', category: '53' })
  await send(page)
  await isAdded(page, 'Unkept')
  await close(page)
  expect(await namesOf(page)).toContain('Unkept')
  await page.goto('/docs')
  await page.getByRole('heading', { level: 1 }).waitFor()
})

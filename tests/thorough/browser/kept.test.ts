import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTests, signIn } from '../../support/browser/browser.ts'
import { fillIn, isAdded, send } from '../../support/browser/form.ts'
import { close } from '../../support/browser/sheet.ts'

const { beforeAll, test, withConsole } = browserTests()
const app = withConsole()
beforeAll(async () => {
  for (const categoryId of [51n, 52n]) await app.add({ name: `Of ${categoryId}`, categoryId })
})

async function nameCategory(page: Page, place: number, name: string): Promise<void> {
  await page.goto('/#categories')
  await page.getByLabel(`Your name for category ${51 + place}`).fill(name)
  await page.keyboard.press('Tab')
  await close(page)
}

test('two tabs keep the category names of both, show those of the other, keep one that is being typed, and add by name', async () => {
  const first = await app.openSignedIn()
  const second = await first.context().newPage()
  await second.goto('/')
  // The key is not for all tabs.
  await signIn(second)
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
  await fillIn(first, { name: 'By name', category: 'frogs' })
  expect(await first.locator('#known-categories option[value="52"]').getAttribute('label')).toBe('Frogs')
  await send(first)
  await isAdded(first, 'By name')
  expect(await app.stored('By name')).toMatchObject([{ categoryId: 52n }])
})

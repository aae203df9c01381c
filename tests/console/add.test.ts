import { expect } from 'bun:test'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, CLIPBOARD, rowsOf } from '../support/browser/browser.ts'
import { categoryField, fillIn, isAdded, nameField, send, sendAndClose } from '../support/browser/form.ts'
import { close, sheet } from '../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()

test('a double click adds one animal at the top of the list, marked as new; the news goes after 10 seconds', async () => {
  const page = await app.openSignedIn()
  await page.clock.install()
  await fillIn(page, { name: 'Rex', status: 'pending' })
  await sheet(page).getByRole('button', { name: 'Add and close' }).dblclick()
  const news = page.getByText('was added with ID')
  await news.waitFor()
  const added = await app.stored('Rex')
  expect(added).toHaveLength(1)
  await page.locator('.animals .new').waitFor()
  const id = String(added[0]?.id)
  expect((await rowsOf(page))[0]).toEqual([id, 'Rexnew', 'pending', '7', ''])
  await page.clock.fastForward(5000)
  expect(await news.count()).toBe(1)
  await page.clock.fastForward(5000)
  await news.waitFor({ state: 'detached' })
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
  await page.locator('#name:focus').waitFor()
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

import { expect } from 'bun:test'
import { browserTests, CLIPBOARD, rowsOf, signIn, signOut } from '../../support/browser/browser.ts'
import { categoryField, fillIn, isAdded, nameField, openForm, send } from '../../support/browser/form.ts'
import { close, openSheet, sheet } from '../../support/browser/sheet.ts'

const { describe, test, withConsole } = browserTests()
const app = withConsole()

describe('adding an animal', () => {
  test('by a double click shows one at the top of the list, marked as new; the news goes by itself', async () => {
    const page = await app.openSignedIn()
    await page.clock.install()
    await fillIn(page, { name: 'Rex', status: 'pending' })
    await sheet(page).getByRole('button', { name: 'Add and close' }).dblclick()
    await page.getByText('was added with ID').waitFor()
    const added = await app.stored('Rex')
    expect(added).toHaveLength(1)
    await page.locator('.animals .new').waitFor()
    const id = String(added[0]?.id)
    expect((await rowsOf(page))[0]).toEqual([id, 'Rexnew', 'pending', '7', ''])
    await page.clock.fastForward(11_000)
    await page.getByText('was added with ID').waitFor({ state: 'detached' })
  })

  test('takes a category by the name that it has in this browser, and offers those in use', async () => {
    await app.add({ name: 'Of a known category', categoryId: 4711n })
    const page = await app.openSignedIn()
    await openSheet(page, 'Categories…')
    await page.getByLabel('Your name for category 4711').fill('Newts')
    await close(page)
    await fillIn(page, { name: 'By name', category: 'newts' })
    expect(await page.locator('#known-categories option[value="4711"]').getAttribute('label')).toBe('Newts')
    await send(page)
    await isAdded(page, 'By name')
    // What every object has is not the name of a category.
    await categoryField(page).fill('constructor')
    await sheet(page).getByText('A number, such as 7, or a name you gave a category.').waitFor()
    expect((await app.stored('By name')).map(({ categoryId }) => categoryId)).toEqual([4711n])
  })

  test('one after another with Enter keeps the category, starts with the usual status, and counts them', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Series 1', category: '42', status: 'sold' })
    await nameField(page).focus()
    await page.keyboard.press('Enter')
    for (const each of ['Series 2', 'Series 3', 'Series 4']) {
      await page.keyboard.type(each)
      await page.keyboard.press('Enter')
    }
    await sheet(page).getByText('4 added', { exact: true }).waitFor()
    expect(await app.stored(/^Series/)).toMatchObject(
      ['sold', 'available', 'available', 'available'].map(status => ({ categoryId: 42n, status })),
    )
  })
})

test('a form that cannot be sent says all that is wrong at the fields, moves to the first, and sends nothing', async () => {
  const page = await app.openSignedIn()
  await fillIn(page, { name: '' })
  const sent: string[] = []
  page.on('request', request => sent.push(request.method()))
  const bad: [string, string, string, string][] = [
    ['Name', ' ', '7', 'Enter a name.'],
    ['Name', 'x'.repeat(256), '7', 'Use at most 255 characters. This name has 256.'],
    ['Category', 'Rex', '9223372036854775808', 'Enter a number from -9223372036854775808 to'],
    ['Category', 'Rex', '3.5', 'Enter a whole number'],
    ['Category', 'Rex', '', 'Enter a category number.'],
  ]
  for (const [label, name, category, message] of bad) {
    await nameField(page).fill(name)
    await categoryField(page).fill(category)
    await send(page)
    await page.locator('.field', { hasText: label }).getByText(message).waitFor()
    const field = page.getByLabel(label, { exact: true })
    expect(await field.evaluate(input => input === input.ownerDocument.activeElement)).toBe(true)
  }
  expect(sent).not.toContain('POST')
})

describe('only what was meant is stored', () => {
  test('a name that was left in the form is replaced by the next one', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Bel' })
    await close(page)
    await page.keyboard.type('nMax')
    await page.keyboard.press('Enter')
    await isAdded(page, 'Max')
    expect((await app.stored(/^(Bel)?Max$/)).map(({ name }) => name)).toEqual(['Max'])
  })

  test('several pasted lines are no name, and say what to do; one line is', async () => {
    const page = await app.openSignedIn('/', CLIPBOARD)
    const paste = async (text: string) => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`)
      await page.keyboard.press('Control+V')
    }
    await fillIn(page, { name: 'Kept' })
    await nameField(page).press('End')
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
    // Blanks around a name are not meant.
    await fillIn(page, { name: ' Twin ', category: '5' })
    await sheet(page).getByText('already an animal with this name and category').waitFor()
    await send(page)
    await isAdded(page, 'Twin')
    expect(await app.stored('Twin')).toHaveLength(2)
    // The category is offered to who added it, and to nobody after them.
    expect(await categoryField(page).inputValue()).toBe('5')
    await close(page)
    await signOut(page)
    await signIn(page)
    await openForm(page)
    expect(await categoryField(page).inputValue()).toBe('')
  })
})

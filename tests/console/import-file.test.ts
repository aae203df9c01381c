import { expect } from 'bun:test'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests } from '../support/browser/browser.ts'
import { button, chooseFile, heading, savedBy, sheet, shownLines } from '../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()
const open = () => app.openSignedIn('/#import')

test('files that are not Unicode are asked about, with their own words, before anything is added', async () => {
  const page = await open()
  await chooseFile(
    page,
    'old.csv',
    Buffer.from('Name;Category\r\nRené the Cat;7\r\nL\x92\x8cil;8\r\n', 'latin1'),
  )
  await heading(page, 'Does this look right?')
  expect(await sheet(page).locator('label:has(:checked)').textContent()).toContain('René, L’Œil')
  await expectAccessible(page)
  await sheet(page).getByRole('radio').nth(1).check({ force: true })
  await sheet(page).getByText('René, L’Œil', { exact: true }).click()
  // The second click must not add what was not seen yet.
  await button(page, 'Yes, continue').dblclick()
  await heading(page, /^2 animals to add/)
  expect((await shownLines(page)).map(([, , read]) => read?.slice(0, 5))).toEqual(['René ', 'L’Œil'])
  expect(await app.stored('L’Œil')).toEqual([])
  await button(page, 'Add 2 animals').click()
  await heading(page, /added/)
  expect(await app.stored('L’Œil')).toHaveLength(1)
})

test('files of another kind are named, with what to do; what was shown before stays', async () => {
  const page = await open()
  await chooseFile(page, 'sheet.xlsx', Buffer.from('PK\u0003\u0004…', 'latin1'))
  await page.getByRole('alert').getByText('sheet.xlsx: This is an archive or spreadsheet file.').waitFor()
  await expectAccessible(page)
  expect(await savedBy(page, 'Save an example')).toStartWith('name,categoryId,status\r\n')
  await chooseFile(page, 'long.csv', `name,category\n${'Long,7\n'.repeat(50)}`)
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await chooseFile(page, 'headless.csv', 'Rex;7')
  await page.getByRole('alert').getByText('The first line must list the columns').waitFor()
  await button(page, 'Add 50 animals').waitFor()
})

test('a wrong value is marked in its line, even after a part of it', async () => {
  const page = await open()
  await chooseFile(page, 'a.ndjson', '{"name":"lost","categoryId": 7,"status":"lost dog"}\n')
  await heading(page, /a.ndjson/)
  expect(await sheet(page).locator('mark').allTextContents()).toEqual(['lost dog'])
})

const FILE = 'Name,Category\nNamed 1,Dogs\nNamed 2,hamsters\nNamed 3,Hamsters\nNamed 4,Newts\n'

test('category names in a file are numbers if this browser knows them, and otherwise a question, which is asked once', async () => {
  const page = await open()
  await page.evaluate(`localStorage.setItem('petstore-settings', '{"categoryNames":{"7":"Dogs"}}')`)
  await page.reload()
  await chooseFile(page, 'first.csv', 'Name,Category\nNewt,Newts\n')
  await page.getByLabel('Number of “Newts”').fill('many')
  await page.keyboard.press('Tab')
  const problem = page.locator('.field .problem', { hasText: 'Enter a whole number, such as 7, or' })
  await problem.waitFor()
  // It also counts for the next file.
  await chooseFile(page, 'named.csv', FILE)
  await sheet(page).getByText('2 category names have no number yet').waitFor()
  await problem.waitFor()
  // Typed and clicked at once: the number counts.
  await page.getByLabel('Number of “hamsters”').fill('9223372036854775807')
  await button(page, 'Add 1 animal').click()
  await heading(page, /^3 added, 1 refused/)
  const named = (await app.stored(/^Named/)).map(({ name, categoryId }) => `${name}: ${categoryId}`)
  const numbered = ['Named 1: 7', 'Named 2: 9223372036854775807', 'Named 3: 9223372036854775807']
  expect(named.toSorted()).toEqual(numbered)
  await page.reload()
  await chooseFile(page, 'named.csv', FILE)
  await sheet(page).getByText('1 category name has no number yet').waitFor()
  await page.getByLabel('Number of “Newts”').fill('dogs')
  await page.keyboard.press('Enter')
  await button(page, 'Add 1 animal').click()
  await heading(page, /^1 animal was added/)
  expect(await app.stored('Named 4')).toMatchObject([{ categoryId: 7n }])
  // A category keeps the name that it has.
  expect(await page.evaluate<string>(`localStorage.getItem('petstore-settings')`)).toContain('"7":"Dogs"')
})

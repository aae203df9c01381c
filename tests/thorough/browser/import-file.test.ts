import { expect } from 'bun:test'
import { browserTests } from '../../support/browser/browser.ts'
import { button, heading, importOne, shownLines } from '../../support/browser/import.ts'
import { chooseFile, savedBy, sheet } from '../../support/browser/sheet.ts'

const { describe, test, withConsole } = browserTests()
const app = withConsole()
const open = () => app.openSignedIn('/#import')

describe('files from offices', () => {
  const windows = Buffer.from('Name;Category\r\nRené the Cat;7\r\nL\x92\x8cil;8\r\n', 'latin1')

  test('that are not Unicode are asked about, with their own words, before anything is added', async () => {
    const page = await open()
    await chooseFile(page, 'old.csv', windows)
    await heading(page, 'Does this look right?')
    const chosen = sheet(page).getByRole('radio', { checked: true })
    expect(await chosen.locator('..').textContent()).toContain('René, L’Œil')
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

  test('that are no such file are named, with what to do; what was shown before stays', async () => {
    const page = await open()
    const refuse = async (name: string, bytes: string, message: string) => {
      await chooseFile(page, name, Buffer.from(bytes, 'latin1'))
      await page.getByRole('alert').getByText(message).waitFor()
    }
    await refuse('sheet.xlsx', 'PK\u0003\u0004…', 'sheet.xlsx: This is a spreadsheet file (.xlsx)')
    await refuse('array.json', '[{"name":"Rex","categoryId":7}]', 'JSON array')
    await refuse('empty.csv', '', 'The file is empty')
    expect(await savedBy(page, 'Save an example')).toStartWith('name,categoryId,status\r\n')
    await chooseFile(page, 'padded.csv', 'Name,CategoryId,Status\nPadded, 7 ,Available\n')
    await refuse('headless.csv', 'Rex;7', 'The first line must list the columns')
    await importOne(page)
    expect(await app.stored('Padded')).toMatchObject([{ categoryId: 7n, status: 'available' }])
  })
})

const FILE = 'Name,Category\nNamed 1,Dogs\nNamed 2,hamsters\nNamed 3,Hamsters\nNamed 4,Newts\n'

test('category names in a file are numbers if this browser knows them, and otherwise a question, which is asked once', async () => {
  const page = await open()
  await page.evaluate(`localStorage.setItem('petstore-settings', '{"categoryNames":{"7":"Dogs"}}')`)
  await page.reload()
  await chooseFile(page, 'named.csv', FILE)
  await heading(page, /^1 animal to add/)
  await sheet(page).getByText('2 category names have no number yet').waitFor()
  // Typed and clicked at once: the number counts.
  await page.getByLabel('Number of “hamsters”').fill('9223372036854775807')
  await button(page, /^Add \d animals?$/).click()
  await heading(page, /^3 added, 1 refused/)
  const named = (await app.stored(/^Named/)).map(({ name, categoryId }) => `${name}: ${categoryId}`)
  const numbered = ['Named 1: 7', 'Named 2: 9223372036854775807', 'Named 3: 9223372036854775807']
  expect(named.toSorted()).toEqual(numbered)
  const advice = 'Category: Enter a whole number, such as 7, or a name you gave to one category.'
  expect(await shownLines(page)).toEqual([['5', 'Named 4,Newts', advice]])
  await page.reload()
  await chooseFile(page, 'named.csv', FILE)
  await sheet(page).getByText('1 category name has no number yet').waitFor()
  await page.getByLabel('Number of “Newts”').fill('many')
  await page.keyboard.press('Tab')
  await page.locator('.field .problem', { hasText: 'Enter a whole number, such as 7, or' }).waitFor()
  await page.getByLabel('Number of “Newts”').fill('dogs')
  await page.keyboard.press('Enter')
  await importOne(page)
  expect(await app.stored('Named 4')).toMatchObject([{ categoryId: 7n }])
  expect(await app.stored(/^Named/)).toHaveLength(4)
})

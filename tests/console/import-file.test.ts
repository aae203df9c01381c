import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible, tooSmall } from '../support/browser/accessibility.ts'
import { browserTests, focused, PHONE } from '../support/browser/browser.ts'
import { holdAdditions } from '../support/browser/network.ts'
import {
  button,
  chooseFile,
  heading,
  isClosed,
  savedBy,
  sheet,
  shownLines,
  tile,
} from '../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()
const open = (options = {}) => app.openSignedIn('/#import', options)

test('files that are not Unicode are asked about, with their own words, before anything is added', async () => {
  const page = await open()
  const old = Buffer.from('Name;Category\r\nRené the Cat;7\r\nL\x92\x8cil;8\r\n', 'latin1')
  await chooseFile(page, 'old.csv', old)
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
  await chooseFile(page, 'huge.csv', Buffer.alloc(2 ** 25 + 1))
  await page.getByRole('alert').getByText('huge.csv: The file is larger than 32 MiB.').waitFor()
  await chooseFile(page, 'long.csv', `name,category,state\n${'Long,7,sold\n'.repeat(51)}`)
  await page.getByText(/^Not read: state\. An import reads .* All are read as available\.$/).waitFor()
  await page.getByRole('alert').waitFor({ state: 'detached' })
  await chooseFile(page, 'headless.csv', 'Rex;7')
  await page.getByRole('alert').getByText('The first line must list the columns').waitFor()
  await button(page, 'Add 51 animals').waitFor()
})

test('a wrong value is marked in its line, even after a part of it or an equal name', async () => {
  const page = await open()
  const lost = (status: string) => `{"name":"lost","categoryId":7,"status":"${status}"}\n`
  await chooseFile(page, 'a.ndjson', lost('lost dog') + lost('lost'))
  await heading(page, /a.ndjson/)
  expect(await sheet(page).locator('mark').allTextContents()).toEqual(['lost dog', 'lost'])
})

const NAMED = 'Name,Category\nNamed 1,Dogs\nNamed 2,hamsters\nNamed 3,Hamsters\nNamed 4,Newts\n'

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
  await chooseFile(page, 'named.csv', NAMED)
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
  await chooseFile(page, 'named.csv', NAMED)
  await sheet(page).getByText('1 category name has no number yet').waitFor()
  await page.getByLabel('Number of “Newts”').fill('dogs')
  await page.keyboard.press('Enter')
  await button(page, 'Add 1 animal').click()
  await heading(page, /^1 animal was added/)
  expect(await app.stored('Named 4')).toMatchObject([{ categoryId: 7n }])
  // A category keeps the name that it has.
  expect(await page.evaluate<string>(`localStorage.getItem('petstore-settings')`)).toContain('"7":"Dogs"')
})

const FILE = 'name;categoryId;status\nFirst;7;\n=1+1;a+c;gone\n   ;7;sold\nFirst;7;\n'

test('the result has a heading, figures, and says what is wrong; the lines to correct are a file; the new animals are marked in the list', async () => {
  const page = await open()
  await chooseFile(page, 'spring.csv', FILE)
  await heading(page, /^2 animals to add.*spring.csv, 4 lines/)
  const bad = [
    [
      '3',
      '=1+1;a+c;gone',
      'Category: Enter a whole number, such as 7, or a name you gave to one category. Status: use one of available, pending, sold.',
    ],
    ['4', '   ;7;sold', 'Name: Enter a name.'],
  ]
  expect(await shownLines(page)).toEqual(bad)
  expect(await sheet(page).locator('mark').allTextContents()).toEqual(['a+c', 'gone'])
  await tile(page, 'To add').click()
  expect((await shownLines(page)).map(([line]) => line)).toEqual(['2', '5'])
  await button(page, 'Add 2 animals').click()
  await heading(page, /^2 added, 2 refused.*spring.csv, 4 lines, .* s$/)
  expect(await tile(page, 'Added').textContent()).toMatch(/Added2IDs \d+ to \d+$/)
  expect(await shownLines(page)).toEqual(bad)
  const file = await savedBy(page, 'Save as a file')
  expect(file).toStartWith('\ufeffWhat to change;name;categoryId;status\r\n')
  await chooseFile(page, 'to-correct-spring.csv', file.replace('a+c;gone', '-8;Sold'))
  await button(page, 'Add 1 animal').click()
  await heading(page, /^1 added, 1 refused/)
  expect(await app.stored('=1+1')).toMatchObject([{ name: '=1+1', categoryId: -8n, status: 'sold' }])
  await chooseFile(page, 'spring.csv', FILE)
  await heading(page, /^Nothing to add/)
  // Otherwise a browser would not tell that the same file was chosen again.
  expect(await page.evaluate<string>(`document.querySelector('input[type=file]').value`)).toBe('')
  await chooseFile(page, 'exported.csv', 'id;name;categoryId\n9;Nine;7\n;First;7\n')
  for (const kind of ['would be added as a new one', '1 is already there'])
    await sheet(page).getByRole('group', { name: kind }).getByText('Add too').click()
  await button(page, 'Add 2 animals').waitFor()
  await sheet(page).getByRole('group', { name: '1 is already there' }).getByText('Leave out').click()
  await button(page, 'Add 1 animal').waitFor()
  await chooseFile(page, 'spring.csv', FILE)
  await heading(page, /^Nothing to add/)
  await sheet(page).getByRole('group', { name: '2 are already there' }).getByText('Add too').click()
  await button(page, 'Add 2 animals').click()
  await button(page, 'Show the 2 in the list').click()
  await isClosed(page)
  expect(await page.locator('.animals .new .name-text').allTextContents()).toEqual(['First', 'First'])
  expect(await app.stored('First')).toHaveLength(4)
})

/** Runs in the page: drags a file over an element and drops it there; whether the browser was kept from opening it. */
const DROP = (selector: string) => `(() => {
  const dataTransfer = new DataTransfer()
  dataTransfer.items.add(new File(['name,category\\nDropped,7\\n'], 'dropped.csv'))
  return ['dragover', 'drop'].map(type => {
    const event = new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
    document.querySelector('${selector}').dispatchEvent(event)
    return event.defaultPrevented
  })
})()`

/** For axe, and for fingers. */
async function look(page: Page): Promise<void> {
  await expectAccessible(page)
  expect(await tooSmall(page)).toEqual([])
}

test('the focus stays in the sheet; a file can be dropped anywhere, replaces no page, and no running import', async () => {
  const page = await open(PHONE)
  const letGo = await holdAdditions(page)
  await look(page)
  const choosing = page.waitForEvent('filechooser')
  expect(await focused(page)).toBe('Choose a file')
  await page.keyboard.press('Enter')
  const buffer = Buffer.from('name,category\nFocused,7\n')
  await (await choosing).setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  await heading(page, /^1 animal to add/)
  await look(page)
  expect(await focused(page)).toStartWith('1 animal to add')
  const choosingAnother = page.waitForEvent('filechooser')
  await button(page, 'Choose another file').focus()
  await page.keyboard.press('Enter')
  await choosingAnother
  // This event also reaches the sheet around the field.
  await page.locator('input[type=file]').dispatchEvent('cancel')
  expect(await focused(page)).toBe('Choose another file')
  const closed = await app.openSignedIn('/')
  await closed.locator('h1').waitFor()
  expect(await closed.evaluate<boolean[]>(DROP('h1'))).toEqual([true, true])
  for (const place of ['.sheet-head', '.tile', 'body', 'h1']) {
    expect(await page.evaluate<boolean[]>(DROP(place))).toEqual([true, true])
    await heading(page, /dropped.csv/)
    await chooseFile(page, 'a.csv', 'name,category\nFocused,7\n')
    await heading(page, /a.csv/)
  }
  await button(page, 'Add 1 animal').focus()
  await page.keyboard.press('Enter')
  await heading(page, /^Adding animals/)
  await page.evaluate(DROP('h1'))
  await look(page)
  letGo()
  await heading(page, /^1 animal was added.*a.csv/)
  expect(await focused(page)).toBe('Show it in the list')
  await look(page)
})

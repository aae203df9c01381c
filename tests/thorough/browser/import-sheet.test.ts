import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible, tooSmall } from '../../support/browser/accessibility.ts'
import { browserTests } from '../../support/browser/browser.ts'
import { button, heading, importOne, shownLines, tile } from '../../support/browser/import.ts'
import { holdAdditions } from '../../support/browser/network.ts'
import { chooseFile, close, isClosed, savedBy, sheet } from '../../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()
const open = () => app.openSignedIn('/#import')

const FILE = 'name;categoryId;status\nFirst;7;\n=1+1;abc;gone\n   ;7;sold\nFirst;7;\n'

test('the result has a heading, figures, and says what is wrong; the lines to correct are a file; the new animals are marked in the list', async () => {
  const page = await open()
  await chooseFile(page, 'spring.csv', FILE)
  await heading(page, /^2 animals to add.*spring.csv, 4 lines/)
  const bad = [
    [
      '3',
      '=1+1;abc;gone',
      'Category: Enter a whole number, such as 7, or a name you gave to one category. Status: use one of available, pending, sold.',
    ],
    ['4', '   ;7;sold', 'Name: Enter a name.'],
  ]
  expect(await shownLines(page)).toEqual(bad)
  await tile(page, 'To add').click()
  expect((await shownLines(page)).map(([line]) => line)).toEqual(['2', '5'])
  await button(page, 'Add 2 animals').click()
  await heading(page, /^2 added, 2 refused.*spring.csv, 4 lines, .* s$/)
  expect(await tile(page, 'Added').textContent()).toMatch(/Added2IDs \d+ to \d+$/)
  await tile(page, 'Not added').click()
  expect(await shownLines(page)).toEqual(bad)
  const file = await savedBy(page, 'Save as a file')
  expect(file).toStartWith('\ufeffWhat to change;name;categoryId;status\r\n')
  await chooseFile(page, 'to-correct-spring.csv', file.replace('abc;gone', '-8;Sold'))
  await button(page, 'Add 1 animal').click()
  await heading(page, /^1 added, 1 refused/)
  expect(await app.stored('=1+1')).toMatchObject([{ name: '=1+1', categoryId: -8n, status: 'sold' }])
  // The whole file, corrected, adds the last line only.
  await chooseFile(page, 'spring.csv', FILE.replace('abc;gone', '-8;sold').replace('   ', 'Third'))
  await tile(page, 'Already there').filter({ hasText: 'there3' }).waitFor()
  await importOne(page)
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
const focused = (page: Page) =>
  page.evaluate<string>('document.activeElement.innerText || document.activeElement.tagName')

test('the focus is on the file, stays in the sheet, and a file can be dropped anywhere, or replaces no page', async () => {
  const page = await open()
  await sheet(page).waitFor()
  const choosing = page.waitForEvent('filechooser')
  expect(await focused(page)).toBe('Choose a file')
  await page.keyboard.press('Enter')
  const buffer = Buffer.from('name,category\nFocused,7\n')
  await (await choosing).setFiles({ name: 'a.csv', mimeType: 'text/csv', buffer })
  await heading(page, /^1 animal to add/)
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
  await heading(page, /^1 animal was added/)
  expect(await focused(page)).toBe('Show it in the list')
})

/** Axe, large targets on a phone, and nothing aside, at both widths. */
async function look(page: Page, state: string): Promise<void> {
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 })
    await expectAccessible(page, ['light', 'dark'], `${state}, ${width}`)
    if (width === 390) expect(await tooSmall(page)).toEqual([])
    const overflows =
      'document.querySelector(".sheet-body")?.scrollWidth > document.querySelector(".sheet-body")?.clientWidth'
    expect([state, await page.evaluate(overflows)]).toEqual([state, false])
  }
}

test('axe finds nothing in any stage, and a file that is dropped on a running import changes nothing', async () => {
  const page = await app.openSignedIn('/#import', { hasTouch: true })
  const letGo = await holdAdditions(page)
  await sheet(page).waitFor()
  await look(page, 'no file')
  await chooseFile(page, 'empty.csv', '')
  await page.getByText('The file is empty').waitFor()
  await look(page, 'a file that cannot be read')
  await chooseFile(page, 'old.csv', Buffer.from('Name;Category\r\nRené;7\r\n', 'latin1'))
  await heading(page, 'Does this look right?')
  await look(page, 'question')
  const rows = [`${'W'.repeat(255)},7`, 'Axe,Newts', 'Axe,', 'Axe,7']
  await chooseFile(page, 'animals.csv', ['name,category', ...rows, ''].join('\n'))
  await button(page, 'Add 2 animals').waitFor()
  await look(page, 'preview')
  await button(page, 'Add 2 animals').click()
  await heading(page, /^Adding animals/)
  await page.evaluate(DROP('h1'))
  await look(page, 'running')
  await close(page)
  await look(page, 'running, from the list')
  await page.getByRole('button', { name: 'Open the import' }).click()
  await button(page, 'Pause').click()
  await heading(page, /^Paused/)
  await look(page, 'paused')
  letGo()
  await button(page, 'Resume').click()
  await heading(page, /added, 2 refused/)
  await look(page, 'done')
})

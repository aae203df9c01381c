import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { withConsole } from '../../support/browser/browser.ts'
import { fillIn, holdAdditions, loseAnswers, send, sheet, storedAs } from '../../support/browser/form.ts'
import { chooseFile, openSheet } from '../../support/browser/menu.ts'
import { petJson } from '../../support/http.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY } from '../../support/service.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const stored = (name: string) => storedAs(app.service(), name)
const name = (page: Page) => page.getByLabel('Name', { exact: true })
const category = (page: Page) => page.getByLabel('Category', { exact: true })

describe('only what was meant is stored', () => {
  test('typing on after "Add and start another" writes the next animal, whenever the answer comes', async () => {
    const page = await app.openSignedIn()
    const letGo = await holdAdditions(page)
    await fillIn(page, { name: 'Rex', category: '3' })
    await page.getByRole('button', { name: 'Add and start another' }).dblclick()
    await page.keyboard.type('Isa')
    letGo()
    await sheet(page).getByText('was added with ID').first().waitFor()
    await page.keyboard.type('bella')
    expect([await name(page).inputValue(), await category(page).inputValue()]).toEqual(['Isabella', '3'])
    await send(page)
    await page.getByText(/Isabella.* was added with ID/).waitFor()
    expect(await stored('Rex')).toHaveLength(1)
    expect((await stored('Isabella')).map(({ categoryId }) => String(categoryId))).toEqual(['3'])
  })

  test('after an empty form was sent, letters stay in the field where they are typed', async () => {
    const page = await app.openSignedIn()
    await fillIn(page, { name: '', category: '' })
    await send(page)
    await page.getByText('Enter a name').waitFor()
    await page.keyboard.type('Rexino', { delay: 30 })
    expect([await name(page).inputValue(), await category(page).inputValue()]).toEqual(['Rexino', ''])
  })

  test('what was lost on the way is not overwritten by the offer to add what was searched for', async () => {
    const page = await app.openSignedIn('/?q=Searched')
    await loseAnswers(page, 1)
    await fillIn(page, { name: 'Lost' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Add “Searched”' }).click()
    expect(await name(page).inputValue()).toBe('Lost')
  })

  test('a corrected file adds only what is new, and what was added is added again only on purpose', async () => {
    const page = await app.openSignedIn()
    await openSheet(page, 'Import…')
    await page.getByText('cannot be undone').waitFor()
    await chooseFile(page, 'animals.csv', 'name,categoryId\nUno,7\nDue,dog\nUno,7\n')
    await page.getByRole('button', { name: 'Add 2 animals' }).click()
    await page.getByText('2 added. Done.').waitFor()
    const [badLines] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save these lines' }).click(),
    ])
    expect(await Bun.file(await badLines.path()).text()).toBe('name,categoryId\nDue,dog\n')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await chooseFile(page, 'animals.csv', 'name,categoryId\nUno,7\nDue,8\nUno,7\n')
    await page.getByRole('button', { name: 'Add 3 animals' }).click()
    await page.getByText('1 added, 2 left out').waitFor()
    await page.getByText('added in the last 24 hours (lines 2, 4)').waitFor()
    expect([(await stored('Uno')).length, (await stored('Due')).length]).toEqual([2, 1])
    await page.getByRole('button', { name: 'Add the 2 animals again' }).click()
    await page.getByText('3 added. Done.').waitFor()
    expect(await stored('Uno')).toHaveLength(4)
  })

  test('a file that is not what it seems is named, with what to do, and adds nothing', async () => {
    const page = await app.openSignedIn()
    await openSheet(page, 'Import…')
    const latin1 = Buffer.from('name,categoryId\nJosé,7\n', 'latin1')
    const files: [string, Buffer, string][] = [
      ['latin1.csv', latin1, 'save as CSV UTF-8'],
      ['semicolons.csv', Buffer.from('name;categoryId\nRex;7\n'), 'separated by semicolons'],
      ['sheet.xlsx', Buffer.from('PK\u0003\u0004…'), 'spreadsheet file (.xlsx)'],
      ['array.json', Buffer.from('[{"name":"Rex","categoryId":7}]'), 'JSON array'],
      ['empty.csv', Buffer.from(''), 'The file is empty'],
    ]
    for (const [file, buffer, message] of files) {
      await page.setInputFiles('input[type=file]', { name: file, mimeType: 'text/csv', buffer })
      await page.getByRole('alert').getByText(message).waitFor()
    }
    await chooseFile(page, 'padded.csv', 'Name,CategoryId,Status\nPadded, 7 ,Available\n')
    await page.getByRole('button', { name: 'Add 1 animal' }).click()
    await page.getByText('1 added. Done.').waitFor()
    expect(await stored('Padded')).toMatchObject([{ categoryId: 7n, status: 'available' }])
  })

  test('an animal that exists with this name and category is pointed out, and may be added', async () => {
    await app.service().post(petJson({ name: 'Twin', categoryId: 5n }))
    const page = await app.openSignedIn()
    await fillIn(page, { name: 'Twin', category: '5' })
    await sheet(page).getByText('already an animal with this name and category').waitFor()
    await send(page)
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Twin')).toHaveLength(2)
  })

  test('"Try it" sends one request at a time, and the same request adds one animal', async () => {
    const page = await app.open('/docs')
    await page.locator('#createPet .try summary').click()
    const form = page.getByRole('form', { name: 'Try it: Add an animal' })
    await form.getByLabel('API key').fill(API_KEY)
    await form.getByLabel('name').fill('Tried')
    // The first request arrives, but its response does not.
    await page.route('**/v1/pets', async route => {
      await route.fetch()
      await route.abort()
    })
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('sending it again is safe').waitFor()
    await page.unroute('**/v1/pets')
    await form.getByRole('button', { name: 'Send' }).dblclick()
    await page.locator('#createPet .try-answer').getByText('201', { exact: true }).waitFor()
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Nothing was added').waitFor()
    expect(await stored('Tried')).toHaveLength(1)
    await form.getByLabel('name').fill('Tried again')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('Response 201.').waitFor()
    expect(await stored('Tried again')).toHaveLength(1)
  })
})

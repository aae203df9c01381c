import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { signIn, signOut, withConsole } from '../../support/browser/browser.ts'
import {
  chooseFile,
  holdAdditions,
  isClosed,
  openSheet,
  sheet,
  storedAs,
} from '../../support/browser/form.ts'
import { petJson, walk } from '../../support/http.ts'
import { needs } from '../../support/programs.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const named = (name: string) => storedAs(app.service(), name)
const stored = async (start: string) =>
  (await walk(app.service(), '/v1/pets?limit=100')).pets.filter(({ name }) => name.startsWith(start))
const ndjson = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `{"name":"${name} ${n}","categoryId":9007199254740993}`).join('\n')

describe('importing a file', () => {
  test('can be paused, closed or cut off at any moment, is seen from the list, and adds every animal once', async () => {
    const page = await app.openSignedIn()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    let posts = 0
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST' || ++posts <= 8) return route.continue()
      // The service has the animal; the pause comes before the response.
      await route.fetch()
      return held()
    })
    await openSheet(page, 'Import…')
    await chooseFile(page, 'animals.ndjson', ndjson('Line', 30))
    await page.getByRole('button', { name: 'Add 30 animals' }).click()
    await isHeld
    await page.getByRole('button', { name: 'Close' }).click()
    await isClosed(page)
    await page.getByText('Importing: animals.ndjson, 8 of 30 animals').waitFor()
    await page.getByRole('button', { name: 'Open the import' }).click()
    await page.getByRole('button', { name: 'Pause', exact: true }).click()
    await page.getByText(/^\d added, \d\d to go$/).waitFor()
    await page.unroute('**/v1/pets')
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      // Half of the lost requests reached the service.
      if (++posts % 2) await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('The service cannot be reached').waitFor({ timeout: 60_000 })
    await page.unroute('**/v1/pets')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('30 added. Done.').waitFor()
    const lines = await stored('Line')
    expect([lines.length, new Set(lines.map(({ name }) => name)).size]).toEqual([30, 30])
    expect(new Set(lines.map(({ categoryId }) => categoryId))).toEqual(new Set([9007199254740993n]))
    await page.keyboard.press('Escape')
    await page.locator('.total', { hasText: `${(await stored('')).length} animals` }).waitFor()
    expect(await page.getByText(/new animals/).count()).toBe(0)
  })

  test('ends with the key that it uses: nothing is added after signing out', async () => {
    const page = await app.openSignedIn()
    const letGo = await holdAdditions(page)
    await openSheet(page, 'Import…')
    await chooseFile(page, 'animals.ndjson', ndjson('Of a guest', 9))
    await page.getByRole('button', { name: 'Add 9 animals' }).click()
    await page.getByText('0 added, 9 to go').waitFor()
    await page.keyboard.press('Escape')
    await isClosed(page)
    await signOut(page)
    const sent: string[] = []
    page.on('request', request => sent.push(request.method()))
    letGo()
    await signIn(page)
    await page.locator('.animals').waitFor()
    expect(sent).not.toContain('POST')
  })

  test('what is in a file and wrong with it is seen first; corrected, it adds what is new, the rest on purpose', async () => {
    const page = await app.openSignedIn()
    await openSheet(page, 'Import…')
    await page.getByText('cannot be undone').waitFor()
    expect(await downloaded(page, 'Save an example')).toStartWith('name,categoryId,status\n')
    await chooseFile(page, 'animals.csv', 'name,categoryId\nUno,7\nDue,dog\nUno,7\n')
    await page.getByText('2 animals to add, 1 with problems').waitFor()
    await page.getByText('Line 3.').waitFor()
    expect(await named('Uno')).toEqual([])
    await page.getByRole('button', { name: 'Add 2 animals' }).click()
    await page.getByText('2 added. Done.').waitFor()
    expect(await downloaded(page, 'Save these lines')).toBe('name,categoryId\nDue,dog\n')
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await chooseFile(page, 'animals.csv', 'name,categoryId\nUno,7\nDue,8\nUno,7\n')
    await page.getByRole('button', { name: 'Add 3 animals' }).click()
    await page.getByText('1 added, 2 left out').waitFor()
    await page.getByText('added in the last 24 hours (lines 2, 4)').waitFor()
    expect([(await named('Uno')).length, (await named('Due')).length]).toEqual([2, 1])
    await page.getByRole('button', { name: 'Add the 2 animals again' }).click()
    await page.getByText('3 added. Done.').waitFor()
    expect(await named('Uno')).toHaveLength(4)
  })

  test('a file of animals that the store has, such as an export, is pointed out before anything is added', async () => {
    await app.service().post(petJson({ name: 'Exported', categoryId: 5n }))
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    await openSheet(page, 'Import…')
    await chooseFile(
      page,
      'export.csv',
      'id,name,categoryId,status\n1,Exported,5,available\n2,Unknown,5,sold\n',
    )
    await page
      .getByText('1 animal has the same name and category as an animal already in the store')
      .waitFor()
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
    expect(await named('Padded')).toMatchObject([{ categoryId: 7n, status: 'available' }])
  })
})

test('an export is what is seen or all, says how many, is exact, and safe for spreadsheets', async () => {
  await app.service().post(petJson({ name: '=1+1', categoryId: -(2n ** 63n), status: 'pending' }))
  await app.service().post(petJson({ name: 'a "b",\nc', status: 'pending' }))
  await app.service().post(petJson({ name: 'a b sold', status: 'sold' }))
  const page = await app.openSignedIn('/?status=pending')
  await page.locator('.total strong').waitFor()
  await openSheet(page, 'Export…')
  await page.getByText('These 2').waitFor()
  expect(await downloaded(page, 'Export')).toMatch(
    /^\ufeffid,name,categoryId,status\r\n\d+,"a ""b"",\nc",7,pending\r\n\d+,'=1\+1,-9223372036854775808,pending\r\n$/,
  )
  await page.getByText('2 animals exported.').waitFor()
  await page.getByLabel('Safe to open in a spreadsheet').uncheck()
  expect(await downloaded(page, 'Export')).toContain(',=1+1,-9223372036854775808,pending\r\n')
  const all = (await stored('')).length
  await page.getByText(`All ${all}`).click()
  expect((await downloaded(page, 'Export')).match(/^\d+,/gm)).toHaveLength(all)
  await page.goto('/?q=1%2B1')
  await page.getByText(`1 of ${all} match`).waitFor()
  await openSheet(page, 'Export…')
  expect((await downloaded(page, 'Export')).match(/^\d+,/gm)).toHaveLength(1)
})

async function downloaded(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    sheet(page).getByRole('button', { name: button, exact: true }).click(),
  ])
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await Bun.file(await download.path()).bytes())
}

import { expect } from 'bun:test'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { browserTests } from '../../support/browser/browser.ts'
import { openSheet, savedBy, sheet } from '../../support/browser/sheet.ts'

const { test, withConsole } = browserTests()
const app = withConsole()

test('an export is what is seen or all, says how many, is exact, and safe for spreadsheets', async () => {
  await app.add({ name: '=1+1', categoryId: -(2n ** 63n), status: 'pending' })
  await app.add({ name: 'a "b",\nc', status: 'pending' })
  await app.add({ name: 'a b sold', status: 'sold' })
  const page = await app.openSignedIn('/?status=pending')
  await page.locator('.total strong').waitFor()
  await openSheet(page, 'Export…')
  await page.getByText('These 2').waitFor()
  const saved: string[] = []
  page.on('download', download => saved.push(download.suggestedFilename()))
  await sheet(page).getByRole('button', { name: 'Export', exact: true }).dblclick()
  await page.getByText('2 animals exported.').waitFor()
  await expectAccessible(page)
  expect(await savedBy(page, 'Export')).toMatch(
    /^\ufeffid,name,categoryId,status\r\n\d+,"a ""b"",\nc",7,pending\r\n\d+,'=1\+1,-9223372036854775808,pending\r\n$/,
  )
  // The double click exported once.
  expect(saved).toHaveLength(2)
  const all = (await app.stored(/./s)).length
  await page.getByText(`All ${all}`).click()
  expect((await savedBy(page, 'Export')).match(/^\d+,/gm)).toHaveLength(all)
  await page.goto('/?q=1%2B1')
  await page.getByText(`1 of ${all} match`).waitFor()
  await openSheet(page, 'Export…')
  expect((await savedBy(page, 'Export')).match(/^\d+,/gm)).toHaveLength(1)
})

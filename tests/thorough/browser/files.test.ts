import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { withConsole } from '../../support/browser/browser.ts'
import { openSheet, sheet } from '../../support/browser/form.ts'
import { petJson, walk } from '../../support/http.ts'
import { needs } from '../../support/programs.ts'

const suite = needs('chromium')
const { test } = suite

const app = withConsole(suite)
const stored = async (start: string) =>
  (await walk(app.service(), '/v1/pets?limit=100')).pets.filter(({ name }) => name.startsWith(start))

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

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { signIn, withConsole } from '../../../support/browser/browser.ts'
import { holdAdditions, isClosed } from '../../../support/browser/form.ts'
import { chooseFile, openSheet } from '../../../support/browser/menu.ts'
import { petJson } from '../../../support/http/exact.ts'
import { needs } from '../../../support/programs/needs.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)

const stored = async () => (await app.service().fetch('/v1/pets?limit=100')).pets

describe('importing a file', () => {
  const rows = Array.from({ length: 40 }, (_, n) => `No. ${n},${n === 3 ? 'dog' : n},sold`)
  const file = `name,categoryId,status\n${rows.join('\n')}\n`

  test('shows what is in it and what is wrong, adds the rest, and doubles nothing when done again', async () => {
    const page = await app.openSignedIn()
    await openSheet(page, 'Import…')
    await chooseFile(page, 'animals.csv', file)
    await page.getByText('39 animals to add, 1 with problems').waitFor()
    await page.getByText('Line 5.').waitFor()
    expect(await stored()).toEqual([])
    await page.getByRole('button', { name: 'Add 39 animals' }).click()
    await page.getByText('39 added. Done.').waitFor()
    expect((await stored()).map(({ name }) => name).sort()).toEqual(
      rows
        .filter(row => !row.includes('dog'))
        .map(row => row.split(',', 1)[0] ?? '')
        .sort(),
    )
    await page.reload()
    await openSheet(page, 'Import…')
    await chooseFile(page, 'corrected.csv', file.replace('dog', '3'))
    await page.getByRole('button', { name: 'Add 40 animals' }).click()
    await page.getByText('1 added, 39 left out, because they were added in the last 24 hours').waitFor()
    expect(await stored()).toHaveLength(40)
    await page.getByRole('button', { name: 'Add the 39 animals again' }).click()
    await page.getByText('40 added. Done.').waitFor()
    expect(await stored()).toHaveLength(79)
  })

  test('refuses what is no such file, and says what to do', async () => {
    const page = await app.openSignedIn()
    await openSheet(page, 'Import…')
    await chooseFile(page, 'animals.csv', 'name;categoryId\nRex;7\n')
    await page.getByText('The columns are separated by semicolons. Save as CSV UTF-8 with commas.').waitFor()
  })

  test('can be paused at any moment, closed, and resumed, with every animal once', async () => {
    const page = await app.openSignedIn()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    let posts = 0
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      // The service has the animal; the pause comes before the answer.
      if (++posts > 8) {
        await route.fetch()
        return held()
      }
      return route.continue()
    })
    await openSheet(page, 'Import…')
    const animals = Array.from({ length: 30 }, (_, n) => `{"name":"Paused ${n}","categoryId":${n}}`)
    await chooseFile(page, 'animals.ndjson', animals.join('\n'))
    await page.getByRole('button', { name: 'Add 30 animals' }).click()
    await isHeld
    await page.getByRole('button', { name: 'Pause' }).click()
    await page.getByText(/^\d added, \d\d to go$/).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await isClosed(page)
    await page.unroute('**/v1/pets')
    await openSheet(page, 'Import…')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('Done.').waitFor()
    const names = (await stored()).map(({ name }) => name).filter(name => name.startsWith('Paused'))
    expect([names.length, new Set(names).size]).toEqual([30, 30])
  })

  test('ends with the key that it uses: nothing is added after signing out', async () => {
    const page = await app.openSignedIn()
    const letGo = await holdAdditions(page)
    await openSheet(page, 'Import…')
    await chooseFile(page, 'animals.ndjson', '{"name":"Of a guest","categoryId":1}\n'.repeat(9))
    await page.getByRole('button', { name: 'Add 9 animals' }).click()
    await page.getByText('0 added, 9 to go').waitFor()
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    const sent: string[] = []
    page.on('request', request => sent.push(request.method()))
    letGo()
    await signIn(page)
    await page.getByText('animals in all, counted at').waitFor()
    expect(sent).not.toContain('POST')
  })

  test('goes on after a lost connection, with every animal once', async () => {
    const page = await app.openSignedIn()
    let posts = 0
    await page.route('**/v1/pets', async route => {
      if (route.request().method() === 'POST' && ++posts > 10) {
        // Half of the lost requests reached the service.
        if (posts % 2) await route.fetch()
        return route.abort()
      }
      return route.continue()
    })
    await openSheet(page, 'Import…')
    const animals = Array.from({ length: 30 }, (_, n) => `{"name":"Line ${n}","categoryId":9007199254740993}`)
    await chooseFile(page, 'animals.ndjson', animals.join('\n'))
    await page.getByRole('button', { name: 'Add 30 animals' }).click()
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute('**/v1/pets')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText(/, 0 to go|Done\./).waitFor()
    const lines = (await stored()).filter(({ name }) => name.startsWith('Line'))
    expect(lines).toHaveLength(30)
    expect(new Set(lines.map(({ name }) => name)).size).toBe(30)
    expect(new Set(lines.map(({ categoryId }) => String(categoryId)))).toEqual(new Set(['9007199254740993']))
  })
})

describe('exporting', () => {
  test('what is filtered, whole and exact, in both formats', async () => {
    await app.service().post(petJson({ name: '=1+1', categoryId: -(2n ** 63n), status: 'pending' }))
    await app.service().post(petJson({ name: 'a "b",\nc', status: 'pending' }))
    const page = await app.openSignedIn('/?status=pending')
    await openSheet(page, 'Export…')
    expect(await exported(page)).toMatch(
      /^id,name,categoryId,status\r\n\d+,'=1\+1,-9223372036854775808,pending\r\n/,
    )
    await page.getByLabel('Safe to open in a spreadsheet').uncheck()
    expect(await exported(page)).toContain(',=1+1,-9223372036854775808,pending\r\n')
    await page.getByText('NDJSON').click()
    const { text } = await app.service().fetch('/v1/pets?status=pending')
    expect(`[${(await exported(page)).trim().split('\n').join(',')}]`).toBe(text)
  })
})

async function exported(page: Page): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export', exact: true }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^petstore-production-pending-[\d-]+\.(csv|ndjson)$/)
  return Bun.file(await download.path()).text()
}

import { expect } from 'bun:test'
import type { Download, Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, namesOf, rowsOf } from '../support/browser/browser.ts'
import { close, openSheet, sheet, textOf } from '../support/browser/sheet.ts'

const { beforeAll, test, withConsole } = browserTests()
const app = withConsole()
const STATUSES = ['available', 'pending', 'sold'] as const
const WIDE = { viewport: { width: 1280, height: 900 } }

beforeAll(async () => {
  for (let n = 1; n <= 120; n++)
    await app.add({
      name: n === 37 ? 'Señor O’Malley' : `Animal ${String.fromCharCode(65 + (n % 26))}`,
      categoryId: n % 4 === 0 ? 12n : 7n,
      status: STATUSES[n % 3] ?? 'sold',
    })
  await app.add({ name: '=1+1', categoryId: -(2n ** 63n), status: 'sold' })
})

const facet = (page: Page, name: RegExp) => page.getByRole('link', { name }).first()
const searchOf = (page: Page): string => new URL(page.url()).search
const found = (page: Page, text: string) => page.locator('.chosen', { hasText: text }).waitFor()

test('what is looked for survives a click elsewhere before the search has begun, or a sheet that just closes', async () => {
  const page = await app.openSignedIn('/', WIDE)
  await namesOf(page)
  await page.getByLabel('Find').pressSequentially('Animal B')
  await page.locator('.name-link').first().click()
  await sheet(page).waitFor()
  await close(page)
  expect([await page.getByLabel('Find').inputValue(), searchOf(page)]).toEqual(['Animal B', '?q=Animal+B'])
  await page.getByLabel('Find').press('End')
  await page.keyboard.type('x')
  await facet(page, /^pending/).click()
  expect(await page.getByLabel('Find').inputValue()).toBe('Animal Bx')
  expect(searchOf(page)).toBe('?status=pending&q=Animal+Bx')
  await page.goto('/')
  await page.locator('.name-link').first().click()
  await sheet(page).waitFor()
  await page.evaluate(`(async () => {
    document.querySelector('.sheet-close').click()
    await undefined
    const find = document.querySelector('[type=search]')
    find.value = 'Animal B'
    find.dispatchEvent(new Event('input', { bubbles: true }))
  })()`)
  await found(page, 'of 121 match')
  expect(searchOf(page)).toBe('?q=Animal+B')
})

test('what is looked for keeps each letter and blank typed while the search begins, at any pace, right after the form', async () => {
  const page = await app.openSignedIn('/', WIDE)
  await namesOf(page)
  await page.keyboard.press('n')
  await sheet(page).waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.type('/señor')
  await found(page, '1 of 121 match')
  expect(await page.getByLabel('Find').inputValue()).toBe('señor')
  // The search begins after 200 ms.
  for (const delay of [190, 200, 210]) {
    await page.getByLabel('Find').fill('Anim')
    await page.getByLabel('Find').pressSequentially('al B', { delay })
    await found(page, 'of 121 match')
    expect(await page.getByLabel('Find').inputValue()).toBe('Animal B')
  }
  await page.getByLabel('Find').fill('senor ')
  await found(page, '1 of 121 match')
  await page.keyboard.type('o')
  expect(await page.getByLabel('Find').inputValue()).toBe('senor o')
  // One step leads back out of the search.
  await page.goBack()
  expect(searchOf(page)).toBe('')
})

test('each part of the overview filters, counts what the others leave, and goes by a second click or its chip', async () => {
  const page = await app.openSignedIn('/', WIDE)
  await facet(page, /Category 12 30/).click()
  await found(page, '30 animals')
  expect(await page.locator('.total').innerText()).toMatch(/^30\s*of 12\d animals$/)
  await facet(page, /^sold 10/).click()
  await found(page, '10 animals')
  expect(searchOf(page)).toBe('?status=sold&category=12')
  await expectAccessible(page)
  expect(await facet(page, /^sold/).getAttribute('aria-current')).toBe('true')
  expect(await facet(page, /Category 7 30/).getAttribute('href')).toBe('./?status=sold&category=7')
  await facet(page, /^sold/).click()
  expect(searchOf(page)).toBe('?category=12')
  await facet(page, /^sold/).click()
  await page.getByRole('link', { name: 'Remove the filter Sold' }).click()
  await found(page, '30 animals')
  // The chip had the focus, which stays in the list.
  await page.locator('[aria-label="Remove the filter Category 12"]:focus').waitFor()
  await facet(page, /Category 12/).dblclick()
  expect(searchOf(page)).toBe('')
  await page.locator('.bar .pending').first().click()
  expect(searchOf(page)).toBe('?status=pending')
  await page.getByRole('button', { name: 'Clear all' }).click()
  expect(searchOf(page)).toBe('')
  await page.locator('.list :focus').waitFor()
})

test('pages go to the first and the last, and keep the focus; with another length the animals just read stay', async () => {
  const page = await app.openSignedIn('/?sort=id', WIDE)
  await page.getByRole('status').filter({ hasText: 'animals, oldest first' }).waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Next page' }).dblclick()
  await page.getByText(/^101–/).waitFor()
  await page.getByRole('button', { name: 'First page' }).click()
  await page.getByText(/^1–50 of/).waitFor()
  await page.getByRole('button', { name: 'Last page' }).click()
  await page.getByText(/^101–12\d of 12\d$/).waitFor()
  await page.locator('[aria-label="Last page"]:focus').waitFor()
  expect(await page.locator('.pager [aria-disabled=true]').count()).toBe(2)
  await page.getByRole('button', { name: 'Next page' }).click({ force: true })
  await page.getByLabel('Rows').selectOption('25')
  await page.getByText(/^101–12\d of/).waitFor()
  expect(searchOf(page)).toBe('?sort=id&rows=25&page=5')
  await page.getByRole('button', { name: 'Previous page' }).click()
  await page.getByLabel('Rows').selectOption('100')
  await page.getByText('1–100 of').waitFor()
})

test('a head sorts up, then down if that is not the usual order, and then as usual', async () => {
  const page = await app.openSignedIn('/', WIDE)
  for (const [head, search, order, first] of [
    ['ID', '?sort=id', 'ascending', 'Animal B'],
    ['ID', '', 'descending', '=1+1'],
    ['name', '?sort=name', 'ascending', '=1+1'],
    ['name', '?sort=-name', 'descending', 'Señor O’Malley'],
    ['name', '', null, '=1+1'],
  ] as const) {
    await page.getByRole('button', { name: head, exact: true }).click()
    const column = page.locator(`th.${head.toLowerCase()}-cell`)
    const shown = [searchOf(page), await column.getAttribute('aria-sort'), (await namesOf(page))[0]]
    expect([head, ...shown]).toEqual([head, search, order, first])
  }
  await page.getByRole('button', { name: 'Sort', exact: true }).click()
  expect(await page.locator('.menu:popover-open [aria-pressed=true]').innerText()).toBe('Newest first')
  await page.locator('.menu:popover-open').getByText('Oldest first').click()
  expect((await namesOf(page))[0]).toBe('Animal B')
})

test('an export is what is seen or all, says how many, is exact, safe for spreadsheets, and one file however it is clicked', async () => {
  const page = await app.openSignedIn('/?q=1%2B1', WIDE)
  const saved: Download[] = []
  page.on('download', download => saved.push(download))
  await openSheet(page, 'Export…')
  await sheet(page).getByRole('button', { name: 'Export', exact: true }).dblclick()
  await sheet(page).getByText('1 animal exported.').waitFor()
  await sheet(page).getByText('All 121').click()
  await sheet(page).getByRole('button', { name: 'Export', exact: true }).click()
  await sheet(page).getByText('121 animals exported.').waitFor()
  const [found, all, ...more] = await Promise.all(saved.map(textOf))
  expect(found).toMatch(/^\ufeffid,name,categoryId,status\r\n\d+,'=1\+1,-9223372036854775808,sold\r\n$/)
  expect(all?.match(/^\d+,/gm)).toHaveLength(121)
  expect(more).toEqual([])
  // More than is written in one step.
  const pet = { name: 'Rex', categoryId: 7, status: 'sold' }
  const json = Array.from({ length: 2001 }, (_, at) => ({ id: at + 1, ...pet }))
  await page.route('**/v1/pets?*', route => route.fulfill({ json }))
  await page.goto('/#export')
  await sheet(page).getByRole('button', { name: 'Export', exact: true }).click()
  await sheet(page).getByText('2,001 animals exported.').waitFor()
  const many = (await Promise.all(saved.slice(2).map(textOf))).join().match(/^\d+(?=,)/gm)
  expect([many?.length, many?.findIndex((id, at) => Number(id) !== at + 1)]).toEqual([2001, -1])
  const names = saved.map(file => file.suggestedFilename().replace(/\d{4}-\d\d-\d\d/, 'DAY'))
  expect(names).toEqual(['these', 'all', 'all'].map(extent => `petstore-production-${extent}-DAY.csv`))
})

test('an animal leads to its category, which is named in one place', async () => {
  const page = await app.openSignedIn('/?q=ani#animal=4', WIDE)
  await sheet(page).getByRole('link', { name: 'All 30 in category 12' }).click()
  await found(page, '30 animals')
  await openSheet(page, 'Categories…')
  await page.getByLabel('Your name for category 12').fill('Cats')
  await page.keyboard.press('Tab')
  await sheet(page)
    .getByRole('link', { name: /^Cats 12/ })
    .waitFor()
  await expectAccessible(page)
  await close(page)
  await page.locator('.chip', { hasText: 'Cats' }).waitFor()
  expect((await rowsOf(page))[0]?.[3]).toBe('Cats 12')
  const categories = async (sort: string) => {
    await page.goto(`/?status=sold&sort=${sort}`)
    return (await rowsOf(page)).map(([, , , category]) => category)
  }
  const up = await categories('category')
  expect([up[0], new Set(up).size, await categories('-category')]).toEqual(['Cats 12', 3, up.toReversed()])
})

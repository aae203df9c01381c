import { expect } from 'bun:test'
import { expectAccessible, tooSmall } from '../../support/browser/accessibility.ts'
import { browserTests } from '../../support/browser/browser.ts'
import { close, isClosed, openSheet, sheet } from '../../support/browser/sheet.ts'

/** Runs in the page. */
declare const getComputedStyle: (element: unknown, part?: string) => Record<string, string>

const { beforeAll, test, withConsole } = browserTests()
const app = withConsole()
beforeAll(async () => {
  await app.add({ name: 'Rex', categoryId: 9007199254740993n })
  await app.add({ name: '\n'.repeat(200).concat('x') })
  await app.add({ name: '\u200b\u202e\u2066' })
})

test('an animal is closed by a click beside it, and has an address, though it was added since the store was read', async () => {
  const page = await app.openSignedIn()
  await page.getByRole('link', { name: 'Rex' }).click()
  await page.mouse.click(20, 300)
  await isClosed(page)
  const { id } = await app.add({ name: 'Long '.repeat(50) })
  await page.evaluate(`location.hash = 'animal=${id}'`)
  await sheet(page).getByRole('heading', { name: /^Long/ }).waitFor()
  await expectAccessible(page)
  const places = async () => {
    const title = await page.locator('#sheet-title').boundingBox()
    return [title?.y, await page.locator('.sheet-close').boundingBox()]
  }
  const ofLong = await places()
  await page.goto('/#animal=1')
  await page.getByRole('heading', { name: 'Rex' }).waitFor()
  expect(await places()).toEqual(ofLong)
  await page.evaluate(`location.hash = 'animal=999'`)
  await sheet(page).getByText('No animal has the ID 999.').waitFor()
})

test('the buttons of an animal lead to those before and after it, quickly too, and back to the row of the last', async () => {
  const page = await app.openSignedIn('/?sort=id#animal=2')
  const step = (to: string) => sheet(page).getByRole('button', { name: `${to} animal` })
  const isShown = (place: number) => sheet(page).getByText(`${place} of`).waitFor()
  await isShown(2)
  await step('Previous').click()
  await isShown(1)
  expect(await step('Previous').getAttribute('aria-disabled')).toBe('true')
  await step('Next').dblclick()
  await isShown(3)
  // Before the page has been painted again.
  const closeAtOnce = `new MutationObserver(() => document.querySelector('.sheet-close').click())`
  await page.evaluate(
    `${closeAtOnce}.observe(document.querySelector('.sheet-foot'), { characterData: true, subtree: true })`,
  )
  await page.keyboard.press('k')
  await isClosed(page)
  await page.locator('.name-link[href$="#animal=2"]:focus').waitFor()
})

test('a name of line breaks or of nothing that can be seen keeps its row as high as others', async () => {
  const page = await app.openSignedIn()
  await page.getByText('U+200B').waitFor()
  await expectAccessible(page)
  const heights = await page
    .locator('.animals tbody tr')
    .evaluateAll(rows => rows.map(row => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(4 * Math.min(...heights))
})

test('n adds, ? helps; not while something is typed, and not once they are turned off', async () => {
  const page = await app.openSignedIn()
  await page.locator('.animals').waitFor()
  await page.getByLabel('Find').press('n')
  expect(await page.getByLabel('Find').inputValue()).toBe('n')
  await page.keyboard.press('Escape')
  expect(await page.getByLabel('Find').inputValue()).toBe('')
  await page.locator('h1').click()
  await page.keyboard.press('Alt+n')
  expect(await sheet(page).count()).toBe(0)
  await page.keyboard.press('n')
  await page.getByRole('heading', { name: 'Add an animal' }).waitFor()
  await close(page)
  await page.keyboard.press('?')
  await page.getByLabel('Single-key shortcuts').uncheck()
  await expectAccessible(page)
  await close(page)
  await page.reload()
  await page.locator('.animals').waitFor()
  await page.keyboard.press('n')
  expect(await sheet(page).count()).toBe(0)
})

test('320 pixels wide: one line of header, nothing aside, targets of 44 pixels, fields of 16', async () => {
  const page = await app.openSignedIn('/', { viewport: { width: 320, height: 640 } })
  await page.locator('td.category-cell', { hasText: '9007199254740993' }).waitFor()
  const header = await page.locator('.header-row').boundingBox()
  expect(header?.height).toBeLessThan(64)
  expect(await tooSmall(page)).toEqual([])
  expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  await page.getByRole('button', { name: 'Sort', exact: true }).click()
  await expectAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Rex' }).click()
  await sheet(page).waitFor()
  expect(await tooSmall(page)).toEqual([])
  await close(page)
  await page.keyboard.press('n')
  const size = await page
    .getByLabel('Name', { exact: true })
    .evaluate(field => getComputedStyle(field).fontSize)
  expect(size).toBe('16px')
  expect(await tooSmall(page)).toEqual([])
  for (const name of ['Import…', 'Export…', 'Help and shortcuts']) {
    await close(page)
    await openSheet(page, name)
    expect([name, ...(await tooSmall(page))]).toEqual([name])
    await expectAccessible(page)
  }
})

test('forced colours show which filter is chosen', async () => {
  const page = await app.openSignedIn('/?status=available', { forcedColors: 'active', colorScheme: 'dark' })
  await page.locator('.animals').waitFor()
  const outline = (name: RegExp) =>
    page.getByRole('link', { name }).evaluate(link => getComputedStyle(link).outlineStyle)
  expect([await outline(/^available/), await outline(/^sold/)]).toEqual(['solid', 'none'])
  expect([await outline(/^Animals/), await outline(/^Reference/)]).toEqual(['solid', 'none'])
})

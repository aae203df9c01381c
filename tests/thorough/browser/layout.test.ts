import { expect } from 'bun:test'
import { expectAccessible, tooSmall } from '../../support/browser/accessibility.ts'
import { browserTests, namesOf, signIn } from '../../support/browser/browser.ts'
import { fillIn, isAdded, nameField, send } from '../../support/browser/form.ts'
import { chooseFile, close, isClosed, openSheet, sheet } from '../../support/browser/sheet.ts'
import { eventually } from '../../support/process.ts'

/** Runs in the page. */
declare const getComputedStyle: (element: unknown, part?: string) => Record<string, string>

const { beforeAll, test, withConsole } = browserTests()
const [app, small] = [withConsole(), withConsole()]
const WIDE = { viewport: { width: 1280, height: 900 } }

beforeAll(async () => {
  await app.add({ name: 'Rex', categoryId: 9007199254740993n })
  await app.add({ name: '\n'.repeat(200).concat('x') })
  await app.add({ name: '\u200b\u202e\u2066' })
  for (let n = 4; n <= 120; n++) await app.add({ name: `No. ${n}`, status: 'available' })
})

test('a name of line breaks or of nothing that can be seen keeps its row as high as others', async () => {
  const page = await app.openSignedIn('/?sort=id')
  await page.getByText('U+200B').waitFor()
  await expectAccessible(page)
  const heights = await page
    .locator('.animals tbody tr')
    .evaluateAll(rows => rows.map(row => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(4 * Math.min(...heights))
})

test('320 pixels wide: one line of header, nothing aside, targets of 44 pixels, fields of 16', async () => {
  const page = await app.openSignedIn('/?sort=id', { viewport: { width: 320, height: 640 } })
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

/** Runs in the page: whether all of the focused element is in view, and nothing covers it. */
const IS_SEEN = `(() => {
  const focused = document.activeElement.closest('.segment') ?? document.activeElement
  const { left, right, top, bottom } = focused.getBoundingClientRect()
  const isAt = y => focused.contains(document.elementFromPoint((left + right) / 2, y))
  return left >= 0 && right <= innerWidth && isAt(top + 2) && isAt(bottom - 2)
})()`

test('at a zoom of 400 %, whatever has the focus is in view', async () => {
  const page = await app.openSignedIn()
  await fillIn(page, { name: 'First', category: '100' })
  await send(page)
  await isAdded(page, 'First')
  // 1280 by 1024 pixels.
  await page.setViewportSize({ width: 320, height: 256 })
  await page.keyboard.type('Zoomed')
  const stops: string[] = []
  for (;;) {
    const [stop, isSeen] = await page.evaluate<[string, boolean]>(
      `[document.activeElement.outerHTML, ${IS_SEEN}]`,
    )
    // After the last stop, the focus is in the browser's own controls.
    if (stop.startsWith('<body')) break
    stops.push(stop)
    expect([stop, isSeen]).toEqual([stop, true])
    await page.keyboard.press('Tab')
  }
  expect(stops.length).toBeGreaterThanOrEqual(6)
  await nameField(page).focus()
  await page.keyboard.press('Enter')
  await isAdded(page, 'Zoomed')
  expect(await page.evaluate<boolean>(IS_SEEN)).toBe(true)
})

test('a new store has the head of its first animals in one line, and shares that stay in their place', async () => {
  for (let n = 1; n <= 4; n++) await small.add({ name: `No. ${n}`, status: 'available' })
  const page = await small.openSignedIn('/', { viewport: { width: 1280, height: 800 } })
  await page.locator('.total strong').waitFor()
  const head = `(() => {
    const text = document.createRange()
    text.selectNodeContents(document.querySelector('.id-cell .sort').firstChild)
    return text.getClientRects().length
  })()`
  expect(await page.evaluate<number>(head)).toBe(1)
  const wider = `[...document.querySelectorAll('.share')].filter(one => one.scrollWidth > one.clientWidth).length`
  expect(await page.evaluate<number>(wider)).toBe(0)
})

test('on paper there is the page that is shown, when and from which store, and no controls', async () => {
  const page = await app.openSignedIn('/?sort=id', WIDE)
  await namesOf(page)
  expect(await page.getByText(/^Petstore, production, /).isVisible()).toBe(false)
  await page.emulateMedia({ media: 'print' })
  expect(await namesOf(page)).toHaveLength(50)
  await page.getByText(/^Petstore, production, \d/).waitFor()
  expect(await page.locator('.button:visible, select:visible, .overview:visible').count()).toBe(0)
  const pill = 'getComputedStyle(document.querySelector(".environment")).backgroundColor'
  expect(await page.evaluate(pill)).toBe('rgba(0, 0, 0, 0)')
  expect((await page.locator('.animals').boundingBox())?.width).toBeGreaterThan(1000)
  // Otherwise they would cover rows.
  for (const sticky of ['.pager', '.animals th'])
    expect(await page.evaluate(`getComputedStyle(document.querySelector('${sticky}')).position`)).toBe(
      'static',
    )
})

test('the heads of the columns and the pager stay in view in a long list, whose next page begins at its top', async () => {
  const page = await app.openSignedIn('/?sort=id', WIDE)
  await page.locator('.animals tr').nth(25).scrollIntoViewIfNeeded()
  const top = async (part: string) => (await page.locator(part).boundingBox())?.y ?? 999
  expect([await top('.animals .id-cell >> nth=0'), (await top('.pager')) < 860]).toEqual([0, true])
  await page.getByRole('button', { name: 'Next page' }).click()
  await eventually('the list begins at its top', async () => Math.abs(await top('.list')) < 1 || undefined)
})

test('an animal is closed by a click beside it, and has its title and its cross in one place', async () => {
  await small.add({ name: 'Long '.repeat(50) })
  const page = await small.openSignedIn()
  const places = async (name: RegExp) => {
    await page.getByRole('link', { name }).click()
    await sheet(page).waitFor()
    const title = await page.locator('#sheet-title').boundingBox()
    const cross = await page.locator('.sheet-close').boundingBox()
    await page.mouse.click(20, 300)
    await isClosed(page)
    return [title?.y, cross]
  }
  expect(await places(/^No. 1/)).toEqual(await places(/^Long/))
})

test('the refusal of a file is in view', async () => {
  const page = await app.openSignedIn('/#import')
  await chooseFile(page, 'long.csv', `name,category\n${'Long,7\n'.repeat(50)}`)
  await page.locator('.lines tr').last().scrollIntoViewIfNeeded()
  await chooseFile(page, 'headless.csv', 'Rex;7')
  const refusal = page.getByRole('alert').getByText('The first line must list the columns')
  expect((await refusal.boundingBox())?.y).toBeGreaterThan(0)
})

test('the buttons for languages stay in place', async () => {
  const page = await app.open('/docs')
  const language = page.locator('.sample[data-topic=errors]').getByRole('button', { name: 'TypeScript' })
  await language.scrollIntoViewIfNeeded()
  const before = await language.boundingBox()
  await language.click()
  expect((await language.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
})

const BLOCK = `for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches'])
  Object.defineProperty(window, name, { get() { throw new DOMException('Access is denied.', 'SecurityError') } })`

test('with blocked site data the console works until it is closed', async () => {
  const page = await app.open('about:blank')
  await page.addInitScript(BLOCK)
  await page.goto('/')
  await signIn(page)
  await fillIn(page, { name: 'Unkept', category: '53' })
  await send(page)
  await isAdded(page, 'Unkept')
  await close(page)
  expect(await namesOf(page)).toContain('Unkept')
  await page.goto('/docs')
  await page.getByRole('heading', { level: 1 }).waitFor()
})

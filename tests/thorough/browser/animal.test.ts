import { expect } from 'bun:test'
import { tooSmall } from '../../support/browser/accessibility.ts'
import { browserTests } from '../../support/browser/browser.ts'
import { close, isClosed, openSheet, sheet } from '../../support/browser/sheet.ts'

/** Runs in the page. */
declare const getComputedStyle: (element: unknown, part?: string) => Record<string, string>

const { beforeAll, describe, test, withConsole } = browserTests()
const app = withConsole()
beforeAll(async () => {
  await app.add({ name: 'Rex', categoryId: 9007199254740993n })
  await app.add({ name: '\n'.repeat(200).concat('x') })
  await app.add({ name: '\u200b\u202e\u2066' })
})

describe('one animal', () => {
  test('names its category in this browser, and is closed by a click beside it', async () => {
    const page = await app.openSignedIn()
    await page.getByRole('link', { name: 'Rex' }).click()
    const categoryName = page.getByLabel('Your name for category 9007199254740993')
    await categoryName.fill('Dogs')
    await page.keyboard.press('Tab')
    await page.reload()
    await sheet(page).waitFor()
    await page.mouse.click(20, 300)
    await isClosed(page)
    await page.locator('td.category-cell', { hasText: 'Dogs 9007199254740993' }).waitFor()
    await page.getByRole('link', { name: 'Rex' }).click()
    await categoryName.fill('')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.getByText('Dogs').first().waitFor({ state: 'detached' })
  })

  test('is no longer asked for when the address is that of another one, whose place it would take', async () => {
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    // The page has not read this animal with its list.
    const { id } = await app.add({ name: 'Late' })
    const asked = Promise.withResolvers<void>()
    await page.route(`**/v1/pets/${id}`, () => asked.resolve())
    await page.evaluate(`location.hash = 'animal=${id}'`)
    await asked.promise
    // The client itself gives up after 15 seconds.
    const cancelled = page.waitForEvent('requestfailed', { timeout: 10_000 })
    await page.evaluate(`location.hash = 'animal=999'`)
    await sheet(page).getByText('No animal has the ID 999.').waitFor()
    expect((await cancelled).url()).toEndWith(`/v1/pets/${id}`)
  })

  test('with a long name has its title as far from the edge as any, and the cross where it always is', async () => {
    const { id } = await app.add({ name: 'Long '.repeat(50) })
    const page = await app.openSignedIn()
    const places: unknown[] = []
    for (const shown of [1n, id]) {
      await page.goto(`/#animal=${shown}`)
      await page.getByRole('heading', { name: shown === id ? /^Long/ : 'Rex' }).waitFor()
      const title = await page.locator('#sheet-title').boundingBox()
      const cross = await page.getByRole('button', { name: 'Close' }).boundingBox()
      places.push([title?.y, cross?.x, cross?.y])
    }
    expect(places[1]).toEqual(places[0])
  })

  test('with a name of line breaks or of nothing that can be seen keeps its row as high as others', async () => {
    const page = await app.openSignedIn()
    await page.getByText('U+200B').waitFor()
    const heights = await page
      .locator('.animals tbody tr')
      .evaluateAll(rows => rows.map(row => row.clientHeight))
    expect(Math.max(...heights)).toBeLessThan(4 * Math.min(...heights))
  })
})

describe('working fast', () => {
  test('n adds, ? helps; not while something is typed, and not once they are turned off', async () => {
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    await page.getByLabel('Find').fill('n')
    expect(await sheet(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Add an animal' }).waitFor()
    await close(page)
    await page.keyboard.press('?')
    await page.getByLabel('Single-key shortcuts').uncheck()
    await close(page)
    await page.reload()
    await page.locator('.animals').waitFor()
    await page.keyboard.press('n')
    expect(await sheet(page).count()).toBe(0)
  })

  test('the menu goes by arrow keys, and Escape returns to its button', async () => {
    const page = await app.openSignedIn()
    const focusIsOn = (text: string) => page.locator(':focus', { hasText: new RegExp(`^${text}$`) }).waitFor()
    await page.getByRole('button', { name: 'More' }).focus()
    await page.keyboard.press('ArrowDown')
    await focusIsOn('Refresh')
    await page.keyboard.press('ArrowUp')
    await focusIsOn('Print…')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await focusIsOn('Categories…')
    await page.keyboard.press('Escape')
    await page.locator(':focus[aria-label=More]').waitFor()
    expect(await page.getByRole('menu').count()).toBe(0)
  })
})

describe('for everyone', () => {
  test('320 pixels wide: one line of header, nothing aside, targets of 44 pixels, fields of 16', async () => {
    const page = await app.openSignedIn('/', { viewport: { width: 320, height: 640 } })
    await page.locator('td.category-cell', { hasText: '9007199254740993' }).waitFor()
    const header = await page.locator('.header-row').boundingBox()
    expect(header?.height).toBeLessThan(64)
    expect(await tooSmall(page)).toEqual([])
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
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
})

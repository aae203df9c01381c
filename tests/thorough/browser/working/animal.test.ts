import { expect } from 'bun:test'
import { tooSmall } from '../../../support/browser/accessibility.ts'
import { rowsOf, withConsole } from '../../../support/browser/browser.ts'
import { isClosed } from '../../../support/browser/form.ts'
import { openSheet } from '../../../support/browser/menu.ts'
import { petJson } from '../../../support/http/exact.ts'
import { needs } from '../../../support/programs/needs.ts'

/** Runs in the page. */
declare const getComputedStyle: (element: unknown, part?: string) => Record<string, string>

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const app = withConsole(suite)
beforeAll(async () => {
  await app.service().post(petJson({ name: 'Rex', categoryId: 9007199254740993n }))
  await app.service().post(petJson({ name: '\n'.repeat(200).concat('x') }))
  await app.service().post(petJson({ name: '\u200b\u202e\u2066' }))
})

describe('one animal', () => {
  test('can be copied as ID, JSON and curl, and says what cannot be done with it', async () => {
    const page = await app.openSignedIn('/', { permissions: ['clipboard-read', 'clipboard-write'] })
    await page.getByRole('button', { name: 'Rex' }).click()
    const copied = async (label: string) => {
      await page.getByRole('button', { name: label }).click()
      return page.evaluate<string>('navigator.clipboard.readText()')
    }
    expect(await copied('Copy ID')).toBe('1')
    expect(await copied('Copy JSON')).toBe(
      '{"id":1,"name":"Rex","categoryId":9007199254740993,"status":"available"}',
    )
    expect(await copied('Copy as curl')).toContain(`curl '${app.service().url}/v1/pets/1'`)
    await page.getByText('Edit, sell or delete this animal?').click()
    await page.getByText('no operation that changes or removes').waitFor()
    await page.getByRole('dialog').getByText('Request details').click()
    await page.getByRole('dialog').getByText('Content-Type', { exact: true }).waitFor()
  })

  test('a category has a name in this browser, marked as such, until it is taken back', async () => {
    const page = await app.openSignedIn()
    await page.getByRole('button', { name: 'Rex' }).click()
    await page.getByLabel('Your name for category 9007199254740993').fill('Dogs')
    await page.getByRole('button', { name: 'Close' }).click()
    await page.reload()
    expect((await rowsOf(page))[0]?.[2]).toBe('9007199254740993Dogs (name in this browser only)')
  })

  test('a name of line breaks or of nothing that can be seen keeps its row as high as others', async () => {
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    const heights = await page
      .locator('.animals tbody tr')
      .evaluateAll(rows => rows.map(row => row.clientHeight))
    expect(Math.max(...heights)).toBeLessThan(4 * (heights[0] ?? 0))
    await page.getByText('U+200B').waitFor()
  })
})

describe('working fast', () => {
  test('n adds, ? helps, r refreshes; not while something is typed', async () => {
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [request] = await Promise.all([page.waitForRequest('**/v1/pets?*'), page.keyboard.press('r')])
    expect(request.method()).toBe('GET')
    await page.getByLabel('Find by name or ID').fill('n')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Add an animal' }).waitFor()
  })

  test('Add and start another keeps the form and the category', async () => {
    const page = await app.openSignedIn()
    await page.keyboard.press('n')
    await page.getByLabel('Name', { exact: true }).fill('First')
    await page.getByLabel('Category', { exact: true }).fill('42')
    await page.getByRole('button', { name: 'Add and start another' }).click()
    await page.getByRole('dialog').getByText('was added with ID').waitFor()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('')
    expect(await page.getByLabel('Category', { exact: true }).inputValue()).toBe('42')
  })

  test('rows can be dense, and stay so', async () => {
    const page = await app.openSignedIn()
    await page.getByText('More', { exact: true }).click()
    await page.getByRole('button', { name: 'Dense rows' }).click()
    await page.reload()
    await page.locator('html.dense .animals').waitFor()
  })
})

describe('for everyone', () => {
  test('320 pixels wide: one line of header, targets of 44 pixels, fields of 16', async () => {
    const page = await app.openSignedIn('/', { viewport: { width: 320, height: 640 } })
    await page.locator('.animals').waitFor()
    const header = await page.locator('.header-row').boundingBox()
    expect(header?.height).toBeLessThan(64)
    expect(await tooSmall(page)).toEqual([])
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
    await page.keyboard.press('n')
    const size = await page
      .getByLabel('Name', { exact: true })
      .evaluate(field => getComputedStyle(field).fontSize)
    expect(size).toBe('16px')
    expect(await tooSmall(page)).toEqual([])
    for (const name of ['Import…', 'Export…', 'Help and shortcuts']) {
      await page.keyboard.press('Escape')
      await isClosed(page)
      await openSheet(page, name)
      expect([name, ...(await tooSmall(page))]).toEqual([name])
    }
  })

  test('forced colours show which filter is chosen', async () => {
    const page = await app.openSignedIn('/', { forcedColors: 'active' })
    await page.locator('.animals').waitFor()
    const outline = (name: string) =>
      page.getByRole('link', { name, exact: true }).evaluate(link => getComputedStyle(link).outlineStyle)
    expect([await outline('all'), await outline('sold')]).toEqual(['solid', 'none'])
  })

  test('print has the animals and no more than paper can use, dark screen or not', async () => {
    const page = await app.openSignedIn('/', { colorScheme: 'dark' })
    await page.locator('.animals').waitFor()
    await page.emulateMedia({ media: 'print' })
    for (const shown of ['h1', '.animals', '.counts-legend'])
      expect([shown, await page.locator(shown).isVisible()]).toEqual([shown, true])
    for (const gone of ['.header', '.toolbar', '.pager', '.exchange', '.title-row .actions'])
      expect([gone, await page.locator(gone).isVisible()]).toEqual([gone, false])
    const ink = await page.locator('h1').evaluate(title => getComputedStyle(title).color)
    expect(ink).toBe('rgb(28, 31, 29)')
  })

  test('reduced motion stops the bar that runs while the list is read', async () => {
    const page = await app.openSignedIn('/', { reducedMotion: 'reduce' })
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/v1/pets?*', async route => {
      await promise
      await route.continue().catch(() => undefined)
    })
    await page.reload()
    await page.locator('.list[aria-busy=true]').waitFor()
    const moves = await page
      .locator('.list')
      .evaluate(list => getComputedStyle(list, '::before').animationName)
    expect(moves).toBe('none')
    letGo()
  })
})

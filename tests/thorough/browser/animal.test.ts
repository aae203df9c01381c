import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { tooSmall } from '../../support/browser/accessibility.ts'
import { browserTests, CLIPBOARD, clipboardOf } from '../../support/browser/browser.ts'
import { fillIn, send } from '../../support/browser/form.ts'
import { close, isClosed, openSheet, pickFromMenu, sheet } from '../../support/browser/sheet.ts'
import { API_KEY } from '../../support/service.ts'

/** Runs in the page. */
declare const getComputedStyle: (element: unknown, part?: string) => Record<string, string>

const { beforeAll, describe, test, withConsole } = browserTests('curl')
const app = withConsole()
beforeAll(async () => {
  await app.add({ name: 'Rex', categoryId: 9007199254740993n })
  await app.add({ name: '\n'.repeat(200).concat('x') })
  await app.add({ name: '\u200b\u202e\u2066' })
})

describe('one animal', () => {
  test('is copied, names its category in this browser, and is closed by a click beside it', async () => {
    const page = await app.openSignedIn('/', CLIPBOARD)
    await page.getByRole('link', { name: 'Rex' }).click()
    const copied = async (label: string) => {
      await page.getByRole('button', { name: label }).click()
      return clipboardOf(page)
    }
    expect(await copied('Copy ID')).toBe('1')
    // Announced once: the button keeps its name.
    await page.getByRole('status').getByText('Copied').waitFor()
    expect(await page.getByRole('button', { name: 'Copied' }).count()).toBe(0)
    expect(await copied('Copy link')).toBe(`${app.service().url}/#animal=1`)
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
  test('n adds, ? helps, r refreshes; not while something is typed, and not once they are turned off', async () => {
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    const [request] = await Promise.all([page.waitForRequest('**/v1/pets?*'), page.keyboard.press('r')])
    expect(request.method()).toBe('GET')
    await page.getByLabel('Find').fill('n')
    expect(await sheet(page).count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Add an animal' }).waitFor()
    await close(page)
    // After the form, a shortcut needs a pause or a click.
    await page.locator('h1').click()
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

/** Pastes the text from the page into a real shell. Returns the body of the response. */
async function paste(command: string): Promise<string> {
  const shell = Bun.spawn(['sh', '-c', command], {
    env: { ...process.env, PETSTORE_API_KEY: API_KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const [, body = ''] = (await shell.stdout.text()).split('\r\n\r\n')
  return body
}

const curlOf = (page: Page, within: string): Promise<string> =>
  page.locator(`${within} section[aria-label="The request as curl"] pre`).innerText()

test('who asks for it sees the request that a view made, as curl that a shell takes, and its response', async () => {
  const page = await app.openSignedIn('/', { viewport: { width: 1280, height: 500 } })
  await page.getByText('Rex').waitFor()
  expect(await page.locator('.exchange').count()).toBe(0)
  await pickFromMenu(page, 'Request details')
  // The overview beside the list does not cover it.
  await page.locator('.exchange summary').click({ position: { x: 20, y: 20 } })
  const curl = await curlOf(page, 'main')
  expect(curl).not.toContain(API_KEY)
  expect(await paste(curl)).toBe((await app.service().fetch('/v1/pets?limit=100')).text)
  const answer = await page.getByRole('region', { name: 'The response' }).innerText()
  expect(answer).toMatch(/Status\s+200/)
  const [, requestId = ''] = /X-Request-Id\s+(\S+)/.exec(answer) ?? []
  expect(app.service().output.text).toContain(`"requestId":"${requestId}"`)

  const name = `  O'Malley <b> "$HOME" \`id\` \\ {}`
  await fillIn(page, { name, category: '9223372036854775807' })
  await send(page)
  await sheet(page).getByText('added, ID').first().waitFor()
  await page.locator('dialog .exchange summary').click()
  const repeated = await paste(await curlOf(page, 'dialog'))
  expect(JSON.parse(repeated)).toMatchObject({ name })
  expect(repeated).toContain('9223372036854775807')
  expect(await app.stored(name)).toHaveLength(1)
})

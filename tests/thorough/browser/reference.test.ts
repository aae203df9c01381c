import { expect } from 'bun:test'
import { ERROR_CODES, ERRORS, exampleOf } from '../../../src/contract/errors.ts'
import { expectAccessible, tooSmall } from '../../support/browser/accessibility.ts'
import { browserTests } from '../../support/browser/browser.ts'

const { test, withConsole } = browserTests()
const app = withConsole()
/** The widths, and the looks that axe sees at each. */
const SCREENS = [
  { width: 320, height: 640, looks: ['light'] },
  { width: 390, height: 844, looks: ['dark'] },
  { width: 768, height: 1024, looks: ['forced'] },
  { width: 1280, height: 800, looks: ['light', 'dark', 'print'] },
] as const

test('the reference shows every error code with what it says, parameters, and what is deprecated; no sample lies upon it', async () => {
  const page = await app.open('/docs/', { viewport: { width: 1280, height: 800 } })
  for (const code of ERROR_CODES) {
    const error = page.locator(`[id="errors-${code}"]`)
    const shown = await error.innerText()
    for (const expected of [code, ERRORS[code].when, exampleOf(code)]) expect(shown).toContain(expected)
    const isSeen = await error.locator('h3').evaluate(title => {
      title.scrollIntoView({ block: 'center' })
      const { right, top } = title.getBoundingClientRect()
      return title.contains(title.ownerDocument.elementFromPoint(right - 2, top + 8))
    })
    expect([code, isSeen]).toEqual([code, true])
  }
  await page.locator('#getPet .notice', { hasText: 'removal is announced for 5 December 2030' }).waitFor()
  const limit = page.locator('#listPets-parameters-limit')
  expect(await limit.innerText()).toMatch(/Default 20\s+Range 1 to 100/)
})

test('the reference begins with the base URL, the key and a first request; at every width axe finds nothing', async () => {
  const page = await app.open('/docs')
  await page.locator('.try > summary').first().click()
  for (const { looks, ...viewport } of SCREENS) {
    await page.setViewportSize(viewport)
    const box = await page.getByLabel('The first request').boundingBox()
    expect(box && box.y + box.height).toBeLessThan(viewport.height)
    if (viewport.width < 640) expect(await tooSmall(page)).toEqual([])
    await expectAccessible(page, looks, `${viewport.width} pixels wide`)
  }
})

test('the reference marks the section in view, and on a phone scrolls the contents to it', async () => {
  const page = await app.open('/docs')
  const current = page.locator('.contents [aria-current=location]')
  const isMarked = (title: string): Promise<void> => current.getByText(title, { exact: true }).waitFor()
  await isMarked('Start here')
  for (const [id, title] of Object.entries({
    deprecation: 'Deprecation',
    createPet: 'Add an animal',
    'errors-rate_limited': 'Errors',
  })) {
    await page.goto(`/docs#${id}`)
    await isMarked(title)
    expect(await current.count()).toBe(1)
  }
  await page.mouse.move(640, 400)
  await page.mouse.wheel(0, -100_000)
  await isMarked('Start here')
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [id, title] of Object.entries({ deprecation: 'Deprecation', listPets: 'List all animals' })) {
    await page.goto(`/docs#${id}`)
    await isMarked(title)
    const link = await current.boundingBox()
    const heading = await page.locator(`#${id} h2`).boundingBox()
    expect(link?.x).toBeGreaterThanOrEqual(0)
    expect(Number(link?.x) + Number(link?.width)).toBeLessThanOrEqual(390)
    expect(Number(heading?.y)).toBeGreaterThan(Number(link?.y) + Number(link?.height))
  }
})

test('the reference can be read and printed without code, with every sample', async () => {
  const page = await app.open('/docs', { javaScriptEnabled: false })
  const sample = page.locator('.sample[data-topic=listPets]')
  for (const language of ['curl', 'typescript', 'python', 'go'])
    expect(await sample.locator(`pre[data-language=${language}]`).isVisible()).toBe(true)
  expect(await page.getByText('Try it').first().isVisible()).toBe(false)
  const heads = await page.locator('.sample-head').filter({ visible: true }).allInnerTexts()
  expect(heads.filter(text => text.trim() === '')).toEqual([])
  await page.goto('/')
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.getByRole('heading', { name: 'API reference' }).waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.locator('.contents').isVisible()).toBe(false)
  expect(await page.getByRole('heading', { name: 'Add an animal' }).isVisible()).toBe(true)
})

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { namesOf, withConsole } from '../../support/browser/browser.ts'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { API_KEY } from '../../support/service/service.ts'

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const PHONE = { width: 360, height: 640 }

const app = withConsole(suite, { variables: { PETSTORE_ENV: 'staging' } })

beforeAll(async () => {
  for (let n = 1; n <= 11; n++) await app.service().post(petJson({ name: `No. ${n}` }))
  const longest = { name: 'W'.repeat(255), categoryId: -(2n ** 63n), status: 'available' }
  await app.service().post(petJson(longest))
})

interface Focus {
  readonly label: string
  readonly isOutlined: boolean
}

/** Runs in the page: what has the focus, and whether that is visible. A choice has its outline around the label. */
const FOCUS = `(() => {
  const focused = document.activeElement
  if (focused === document.body) return { label: '', isOutlined: false }
  const seen = focused.closest('.segment') ?? focused
  return {
    label: (focused.labels?.[0] ?? focused).innerText.trim(),
    isOutlined: getComputedStyle(seen).outlineStyle !== 'none',
  }
})()`

/** Presses Tab until the element with this name has the focus. On failure, lists the elements that had it. */
async function tabTo(page: Page, name: string): Promise<void> {
  const seen: string[] = []
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab')
    const { label, isOutlined } = await page.evaluate<Focus>(FOCUS)
    seen.push(label)
    if (!label.toLowerCase().includes(name.toLowerCase())) continue
    expect([name, isOutlined]).toEqual([name, true])
    return
  }
  throw new Error(`Tab does not lead to ${name}, only to ${seen}`)
}

describe('the keyboard alone is enough', () => {
  test('from signing in to adding an animal and signing out', async () => {
    const page = await app.open('/?limit=10')
    await page.getByLabel('API key').waitFor()
    await page.keyboard.type(API_KEY)
    await page.keyboard.press('Enter')
    await page.getByText('No. 10').waitFor()
    await tabTo(page, 'Next')
    await page.keyboard.press('Enter')
    await page.getByText('No. 11').waitFor()
    await page.keyboard.press('Shift+Tab')
    await page.keyboard.press('Enter')
    await page.getByText('No. 10').waitFor()
    await tabTo(page, 'Add animal')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    await page.keyboard.type('Typed')
    await page.keyboard.press('Tab')
    await page.keyboard.type('7')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await page.getByText('was added with ID').waitFor()
    expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Add animal')
    await tabTo(page, 'pending')
    await page.keyboard.press('Enter')
    await page.getByText('1 animal on this page').waitFor()
    expect(await namesOf(page)).toEqual(['Typed'])
    await tabTo(page, 'Request details')
    await page.keyboard.press('Enter')
    await page.getByText('As curl').waitFor()
    await tabTo(page, 'Sign out')
    await page.keyboard.press('Enter')
    await page.getByLabel('API key').waitFor()
  })
})

describe('on a screen 360 pixels wide', () => {
  const scrollsAside = (page: Page): Promise<boolean> =>
    page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

  test('nothing scrolls aside, and all four facts of an animal can be read', async () => {
    const page = await app.open('/?limit=100', { viewport: PHONE })
    await page.getByLabel('API key').waitFor()
    expect(await scrollsAside(page)).toBe(false)
    await page.getByLabel('API key').fill(API_KEY)
    await page.keyboard.press('Enter')
    await page.getByText('ID 12 · category -9223372036854775808').waitFor()
    expect(await scrollsAside(page)).toBe(false)
    await page.locator('.exchange summary').click()
    expect(await scrollsAside(page)).toBe(false)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Add animal', exact: true }).click()
    await page.getByRole('dialog').waitFor()
    expect(await scrollsAside(page)).toBe(false)
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })
})

describe('the environment', () => {
  test('is plain to see before and after signing in, and in the title of the tab', async () => {
    const page = await app.open()
    const badge = page.locator('.environment')
    expect(await badge.innerText()).toMatch(/staging/i)
    expect(await page.title()).toBe('Sign in · Petstore · staging')
    await page.getByLabel('API key').fill(API_KEY)
    await page.keyboard.press('Enter')
    await page.getByText('No. 10').waitFor()
    expect(await badge.isVisible()).toBe(true)
    await expectAccessible(page)
  })
})

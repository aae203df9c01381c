import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { browserTests, keyMenu, PHONE, signIn, signOut, widthOf } from '../../support/browser/browser.ts'
import { nameField, openForm } from '../../support/browser/form.ts'
import { createKey } from '../../support/process.ts'
import { API_KEY } from '../../support/service.ts'

const { describe, test, withConsole } = browserTests()

/** Runs in the page: every place that outlives it or that others can see. */
const EVERYWHERE = `(async () => ({
  address: location.href,
  state: JSON.stringify(history.state),
  cookies: document.cookie,
  local: JSON.stringify({ ...localStorage }),
  databases: await indexedDB.databases(),
  caches: await caches.keys(),
  page: document.documentElement.outerHTML,
}))()`

const app = withConsole()

describe('signing in', () => {
  test('a key is masked, found in a pasted header, lasts over a reload, ends with the tab or by signing out', async () => {
    const page = await app.open('/', PHONE)
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('password')
    expect(await widthOf(page)).toBe(PHONE.viewport.width)
    await signIn(page, ` "Bearer ${API_KEY}" `)
    await page.reload()
    await keyMenu(page).waitFor()
    const otherTab = await page.context().newPage()
    await otherTab.goto('/')
    await otherTab.getByLabel('API key').waitFor()
    await signOut(page)
    expect(await kept(page)).not.toContain(API_KEY)
  })

  test('the key is in no address, cookie or lasting storage', async () => {
    const page = await app.open('/?status=sold')
    await signIn(page)
    await page.getByLabel('Find').fill('rex')
    await page.waitForURL('**/?status=sold&q=rex')
    await page.getByRole('button', { name: 'Add animal' }).click()
    const everywhere = await page.evaluate<object>(EVERYWHERE)
    expect(JSON.stringify(everywhere)).not.toContain(API_KEY)
    expect(everywhere).toMatchObject({ cookies: '', local: '{}', databases: [], caches: [] })
    expect(JSON.stringify(app.service().output.text)).not.toContain(API_KEY)
  })
})

describe('a key that is refused is told why at the field', () => {
  test('an empty one, one that cannot be sent, and one that the service refuses', async () => {
    const page = await app.open()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Enter an API key.').waitFor()
    await page.getByLabel('API key').fill('pets_live_ключ')
    await page.keyboard.press('Enter')
    await page.getByText('contains a character that API keys cannot have').waitFor()
    const { error } = await app.service().fetch('/v1/pets', { key: 'nonsense' })
    await page.getByLabel('API key').fill('nonsense')
    await page.keyboard.press('Enter')
    await page.locator('.field', { hasText: 'API key' }).getByText(error.message, { exact: true }).waitFor()
    expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true')
    expect(await kept(page)).toBe('{}')
    await expectAccessible(page)
  })

  test('a key that is revoked while a name is typed, of which no letter gets into the key', async () => {
    const page = await app.open('/?status=sold')
    const key = await createKey(app.service().options.databaseUrl, 'of a typist')
    await signIn(page, key)
    await openForm(page)
    await page.keyboard.type('Jo')
    await app.revoke('of a typist', key)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.getByText('This API key was revoked.', { exact: true }).waitFor()
    await page.keyboard.type('hannes')
    await page.keyboard.press('Enter')
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
    expect(await kept(page)).not.toContain(key)
    expect(new URL(page.url()).search).toBe('?status=sold')
    await signIn(page)
    expect(await nameField(page).inputValue()).toBe('Jo')
  })
})

const kept = (page: Page): Promise<string> => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')

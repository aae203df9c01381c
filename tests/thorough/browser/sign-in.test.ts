import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTests, keyMenu, PHONE, signIn, signOut, widthOf } from '../../support/browser/browser.ts'
import { nameField, openForm } from '../../support/browser/form.ts'
import { pickFromMenu } from '../../support/browser/sheet.ts'
import { createKey, eventually, freshSqliteUrl } from '../../support/process.ts'
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
    const page = await app.open()
    expect(await page.getByLabel('API key').getAttribute('type')).toBe('password')
    await signIn(page, ` "Bearer ${API_KEY}" `)
    await page.reload()
    await keyMenu(page).waitFor()
    const otherTab = await page.context().newPage()
    await otherTab.goto('/')
    await otherTab.getByLabel('API key').waitFor()
    await signOut(page)
    expect(await kept(page)).not.toContain(API_KEY)
  })

  test('the page is not wider than a phone', async () => {
    const page = await app.open('/', PHONE)
    await page.getByLabel('API key').waitFor()
    expect(await widthOf(page)).toBe(PHONE.viewport.width)
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
  test('an empty one, a wrong one, one of the other environment, an expired and a revoked one', async () => {
    const url = app.service().options.databaseUrl
    const expired = await createKey(url, 'short', '--expires', '1s')
    const stagingKey = await createKey(await freshSqliteUrl(), 'other', '--env', 'staging')
    const revoked = await createKey(url, 'gone')
    await app.revoke('gone', revoked)
    const isOver = async () => (await app.service().fetch('/v1/pets', { key: expired })).status === 401
    await eventually('the key has expired', async () => (await isOver()) || undefined)
    const page = await app.open()
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('Enter an API key.').waitFor()
    await page.getByLabel('API key').fill('pets_live_ключ')
    await page.keyboard.press('Enter')
    await page.getByText('contains a character that API keys cannot have').waitFor()
    for (const key of ['nonsense', stagingKey, expired, revoked, `${revoked.slice(0, -1)}_`]) {
      const { error } = await app.service().fetch('/v1/pets', { key })
      await page.getByLabel('API key').fill(key)
      await page.keyboard.press('Enter')
      await page.locator('.field', { hasText: 'API key' }).getByText(error.message, { exact: true }).waitFor()
      expect(await page.getByLabel('API key').getAttribute('aria-invalid')).toBe('true')
    }
    expect(await kept(page)).toBe('{}')
  })

  test('a key that is revoked while it is used', async () => {
    const page = await app.open('/?status=sold')
    const key = await createKey(app.service().options.databaseUrl, 'for a while')
    await signIn(page, key)
    await app.revoke('for a while', key)
    await pickFromMenu(page, 'Refresh')
    await page.getByText('This API key was revoked.', { exact: true }).waitFor()
    expect(new URL(page.url()).search).toBe('?status=sold')
    expect(await kept(page)).toBe('{}')
  })

  test('a key that is revoked while a name is typed, of which no letter gets into the key', async () => {
    const page = await app.open()
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
    await signIn(page)
    expect(await nameField(page).inputValue()).toBe('Jo')
  })
})

const kept = (page: Page): Promise<string> => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, PHONE, signIn, signOut } from '../support/browser/browser.ts'
import { fillIn } from '../support/browser/form.ts'
import { close } from '../support/browser/sheet.ts'
import { API_KEY } from '../support/service.ts'

const { test, withConsole } = browserTests()
const app = withConsole()

test('a key is masked, found in a pasted header, kept nowhere but in the tab, and forgotten with what was typed by signing out', async () => {
  const page = await app.open('/?status=sold', PHONE)
  expect(await page.locator('#api-key:focus').getAttribute('type')).toBe('password')
  await signIn(page, ` "Bearer ${API_KEY}" `)
  await page.reload()
  await page.locator('h1:focus', { hasText: 'Animals' }).waitFor()
  await fillIn(page, { name: 'Half a name' })
  const inPage = 'location.href + JSON.stringify(history.state) + document.documentElement.outerHTML'
  expect(await page.evaluate<string>(inPage)).not.toContain(API_KEY)
  expect(await page.context().storageState({ indexedDB: true })).toEqual({ cookies: [], origins: [] })
  expect(JSON.stringify(app.service().output.text)).not.toContain(API_KEY)
  await close(page)
  await signOut(page)
  expect(await kept(page)).not.toMatch(new RegExp(`${API_KEY}|Half a name`))
})

test('a key that is empty, cannot be sent or is refused by the service is told why at the field', async () => {
  const page = await app.open()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('Enter an API key.').waitFor()
  await page.getByLabel('API key').fill('pets_live_ключ')
  await page.keyboard.press('Enter')
  await page.getByText('contains a character that API keys cannot have').waitFor()
  const { error } = await app.service().fetch('/v1/pets', { key: 'nonsense' })
  await page.getByLabel('API key').fill('nonsense')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.locator('.field', { hasText: 'API key' }).getByText(error.message, { exact: true }).waitFor()
  await page.locator('#api-key[aria-invalid=true]:focus').waitFor()
  expect(await kept(page)).toBe('{}')
  await expectAccessible(page)
})

const kept = (page: Page): Promise<string> => page.evaluate<string>('JSON.stringify({ ...sessionStorage })')

import { expect } from 'bun:test'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, HIDE, namesOf, signIn } from '../support/browser/browser.ts'
import { fillIn, isAdded, line, send } from '../support/browser/form.ts'
import { onAdditions } from '../support/browser/network.ts'
import { pickFromMenu, sheet } from '../support/browser/sheet.ts'
import { API_KEY } from '../support/service.ts'

const { beforeAll, test, withConsole } = browserTests()
const app = withConsole()
const RETRY_MS = 5000
beforeAll(async () => void (await app.add({ name: 'Rex' })))

test('offline: says so, keeps what was there and what is typed, comes back, and adds nothing twice', async () => {
  const page = await app.openSignedIn()
  await page.getByText('Up to date').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('status').getByText('You are offline. What you see was read at').waitFor()
  await page.getByText('Up to date').waitFor({ state: 'detached' })
  expect(await namesOf(page)).toEqual(['Rex'])
  await expectAccessible(page)
  await fillIn(page, { name: 'Far away' })
  await sheet(page).getByText('You are offline').waitFor()
  // It arrives, but its response does not.
  await onAdditions(page, route => route.fetch().then(() => route.abort()))
  await send(page)
  await line(page, 'Far away').getByText('may have been added').waitFor()
  await page.unroute('**/v1/pets')
  await page.context().setOffline(false)
  await page.getByText('You are offline').first().waitFor({ state: 'detached' })
  await sheet(page).getByRole('button', { name: 'Try again' }).click()
  await isAdded(page, 'Far away')
  expect(await app.stored('Far away')).toHaveLength(1)
})

test('unreachable: signing in can be tried again; the list stays, says that it reconnects, and does when asked to', async () => {
  const page = await app.open()
  await page.clock.install()
  const lose = () => page.route('**/v1/**', route => route.abort('connectionrefused'))
  await lose()
  await page.getByLabel('API key').fill(API_KEY)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('The service cannot be reached').waitFor()
  await page.locator('#api-key:focus').waitFor()
  await page.unroute('**/v1/**')
  await signIn(page)
  await page.getByText('Rex').waitFor()
  await lose()
  await pickFromMenu(page, 'Refresh')
  const note = page.getByText('Reconnecting… The service cannot be reached.')
  await note.waitFor()
  expect(await page.getByText('Up to date').count()).toBe(0)
  await page.getByText('Details', { exact: true }).click()
  await page.getByText('Code connection_failed').waitFor()
  await expectAccessible(page)
  expect(await namesOf(page)).toContain('Rex')
  await page.unroute('**/v1/**')
  await page.clock.fastForward(RETRY_MS)
  // A page that is not seen does not ask by itself.
  await page.evaluate(HIDE)
  await note.waitFor({ state: 'detached' })
  await lose()
  await pickFromMenu(page, 'Refresh')
  await note.waitFor()
  await page.unroute('**/v1/**')
  await page.getByRole('button', { name: 'Try now' }).click()
  await note.waitFor({ state: 'detached' })
})

test('too many requests: the console says so, waits as long as the service asks, then goes on by itself', async () => {
  const page = await app.openSignedIn()
  await page.getByText('Up to date').waitFor()
  const json = { code: 'rate_limited', message: 'Later.', status: 429 }
  const later = { status: 429, json, headers: { 'retry-after': '1' } }
  await page.route('**/v1/pets?*', route => route.fulfill(later), { times: 1 })
  await page.reload()
  await page.getByText('The service limits how many requests it takes').waitFor()
  await expectAccessible(page, ['light', 'dark', 'forced'])
  await page.getByText('Up to date').waitFor()
})

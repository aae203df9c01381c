import { expect } from 'bun:test'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { browserTests, namesOf, signIn } from '../../support/browser/browser.ts'
import { fillIn, isAdded, line, send } from '../../support/browser/form.ts'
import { onAdditions } from '../../support/browser/network.ts'
import { pickFromMenu, sheet } from '../../support/browser/sheet.ts'
import { API_KEY } from '../../support/service.ts'

const { beforeAll, describe, test, withConsole } = browserTests()

describe('trouble is a calm state that ends by itself', () => {
  const app = withConsole()
  beforeAll(async () => void (await app.add({ name: 'Rex' })))

  test('offline: says so, keeps what was there and what is typed, comes back, and adds nothing twice', async () => {
    const page = await app.openSignedIn()
    await page.getByText('Up to date').waitFor()
    await page.context().setOffline(true)
    await page.getByText('You are offline. What you see was read at').waitFor()
    await page.getByText('Up to date').waitFor({ state: 'detached' })
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

  test('unreachable: signing in can be tried again; the list stays, says that it reconnects, then does; sheets open', async () => {
    const page = await app.open()
    await page.route('**/v1/**', route => route.abort('connectionrefused'))
    await page.getByLabel('API key').fill(API_KEY)
    await page.keyboard.press('Enter')
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute('**/v1/**')
    await signIn(page)
    await page.getByText('Rex').waitFor()
    await page.route('**/v1/**', route => route.abort('connectionrefused'))
    await page.route('**/assets/**', route => route.abort('connectionrefused'))
    await pickFromMenu(page, 'Refresh')
    await page.getByText('Reconnecting… The service cannot be reached.').waitFor()
    await page.getByText('Details', { exact: true }).click()
    await expectAccessible(page)
    expect(await namesOf(page)).toContain('Rex')
    await page.keyboard.press('?')
    await page.getByRole('heading', { name: 'Shortcuts' }).waitFor()
    await page.keyboard.press('Escape')
    await page.unroute('**/v1/**')
    await page.getByText('Reconnecting…').waitFor({ state: 'detached', timeout: 30_000 })
  })
})

describe('too many requests', () => {
  const app = withConsole({ variables: { PETSTORE_RATE_LIMIT: '2/5s' } })

  test('the console says so, waits as long as the service asks, then goes on by itself', async () => {
    for (let n = 0; n < 2; n++) await app.service().fetch('/v1/pets')
    const page = await app.openSignedIn()
    await page.getByText('The service limits how many requests it takes').waitFor()
    await expectAccessible(page, ['light', 'dark', 'forced'])
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
  })
})

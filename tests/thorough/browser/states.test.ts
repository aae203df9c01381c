import { signIn, withConsole } from '../../support/browser/browser.ts'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { API_KEY } from '../../support/service/service.ts'

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const app = withConsole(suite)
beforeAll(async () => void (await app.service().post(petJson({ name: 'Rex' }))))

describe('trouble is a calm state with a way on', () => {
  test('offline: says so, keeps what was there, and comes back by itself', async () => {
    const page = await app.openSignedIn()
    await page.getByText('Rex').waitFor()
    await page.context().setOffline(true)
    await page.getByRole('link', { name: 'sold' }).click()
    await page.getByText('You are offline', { exact: true }).waitFor()
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'No sold animals' }).waitFor()
  })

  test('slow: says so, and can be stopped and tried again', async () => {
    const page = await app.openSignedIn()
    await page.getByText('Rex').waitFor()
    app.service().signal('SIGSTOP')
    try {
      await page.getByRole('link', { name: 'available' }).click()
      await page.getByText('Still waiting for the service…').waitFor()
      await page.getByText('Rex').waitFor()
      await page.getByRole('button', { name: 'Stop waiting' }).click()
      await page.getByText('You stopped waiting').waitFor()
    } finally {
      app.service().signal('SIGCONT')
    }
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Rex').waitFor()
  })

  test('unreachable: says so at the sign-in too, and lets one try again', async () => {
    const page = await app.open()
    await page.route('**/v1/**', route => route.abort('connectionrefused'))
    await page.getByLabel('API key').fill(API_KEY)
    await page.keyboard.press('Enter')
    await page.getByText('The service cannot be reached').waitFor()
    await page.unroute('**/v1/**')
    await signIn(page)
  })
})

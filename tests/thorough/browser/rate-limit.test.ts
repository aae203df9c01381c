import { expectAccessible } from '../../support/browser/accessibility.ts'
import { withConsole } from '../../support/browser/browser.ts'
import { needs } from '../../support/programs/needs.ts'

const suite = needs('chromium')
const { test } = suite

const app = withConsole(suite, { variables: { PETSTORE_RATE_LIMIT: '4/15s' } })

test('too many requests: the console waits as long as the service asks, then goes on by itself', async () => {
  const page = await app.openSignedIn()
  await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
  for (const status of ['available', 'pending', 'sold']) {
    await page.getByRole('link', { name: status }).click()
    await page
      .getByText(new RegExp(`No ${status} animals|Too many requests`))
      .first()
      .waitFor()
  }
  await page.getByText('Too many requests', { exact: true }).waitFor()
  await page.getByText(/Retrying in \d+ s/).waitFor()
  await expectAccessible(page)
  await page.getByRole('heading', { name: 'No sold animals' }).waitFor()
})

import { expect } from 'bun:test'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { namesOf, withConsole } from '../../support/browser/browser.ts'
import { petJson } from '../../support/http/exact.ts'
import { PostgresServer } from '../../support/postgres/server.ts'
import { needs } from '../../support/programs/needs.ts'

const suite = needs('chromium')
const { afterAll, test } = suite

let server: PostgresServer
const app = withConsole(suite, {}, async () => {
  server = await PostgresServer.create()
  return server.freshDatabaseUrl()
})
afterAll(() => server?.remove())

test('while the store is away the console says so, keeps what is typed, and goes on when it is back', async () => {
  await app.service().post(petJson({ name: 'Rex' }))
  const page = await app.openSignedIn()
  expect(await namesOf(page)).toEqual(['Rex'])
  await page.getByRole('button', { name: 'Add animal', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Mia')
  await page.getByLabel('Category', { exact: true }).fill('7')
  await server.stop()
  await page.getByRole('dialog').getByRole('button', { name: 'Add animal', exact: true }).click()
  await page.getByRole('dialog').getByText('may have been added').waitFor()
  await expectAccessible(page)
  await page.reload()
  await page.getByText('The service cannot answer right now', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByText(/Retrying in \d+ s/).waitFor()
  await expectAccessible(page)
  await server.start()
  await page.getByRole('region', { name: 'The animals' }).getByRole('button', { name: 'Try again' }).click()
  await page.getByText('Rex').waitFor()
})

test('an addition that met a store away is made once it is back, once', async () => {
  const page = await app.openSignedIn()
  await page.getByRole('button', { name: 'Add animal', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Bo')
  await page.getByLabel('Category', { exact: true }).fill('7')
  await server.stop()
  await page.getByRole('dialog').getByRole('button', { name: 'Add animal', exact: true }).click()
  await page.getByRole('dialog').getByText('may have been added').waitFor()
  await server.start()
  await page.getByRole('dialog').getByRole('button', { name: 'Try again' }).click()
  await page.getByText('was added with ID').waitFor()
  expect((await namesOf(page)).filter(name => name === 'Bo')).toHaveLength(1)
})

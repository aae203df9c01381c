import { expect } from 'bun:test'
import { signIn, withConsole } from '../../../support/browser/browser.ts'
import {
  fillIn,
  holdAdditions,
  isClosed,
  loseAnswers,
  send,
  sheet,
  storedAs,
} from '../../../support/browser/form.ts'
import { needs } from '../../../support/programs/needs.ts'
import { createKey } from '../../../support/service/cli.ts'

const suite = needs('chromium')
const { describe, test } = suite

const app = withConsole(suite)
const stored = (name: string) => storedAs(app.service(), name)

describe('after a lost answer', () => {
  test('the form keeps its key through Cancel and reload, and one animal is made', async () => {
    const page = await app.openSignedIn()
    await loseAnswers(page, 1)
    await fillIn(page, { name: 'Lost' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await sheet(page).getByText('Trying again is safe').waitFor()
    await sheet(page).getByRole('button', { name: 'Cancel' }).click()
    await isClosed(page)
    await page.getByText('may have been added').waitFor()
    await page.reload()
    await page.getByText('may have been added').waitFor()
    await page.getByRole('button', { name: 'Add animal', exact: true }).click()
    expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe('Lost')
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Lost')).toHaveLength(1)
  })

  test('it can be tried again from the list', async () => {
    const page = await app.openSignedIn()
    await loseAnswers(page, 2)
    await fillIn(page, { name: 'Lost twice' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('may still be added').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Lost twice')).toHaveLength(1)
  })

  test('a reload while the answer is pending counts as lost', async () => {
    const page = await app.openSignedIn()
    await holdAdditions(page)
    await fillIn(page, { name: 'Reloaded' })
    await send(page)
    await page.reload()
    await sheet(page).getByText('may have been added').waitFor()
    await page.unroute('**/v1/pets')
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await page.getByText('was added with ID').waitFor()
    expect(await stored('Reloaded')).toHaveLength(1)
  })

  test('a changed form learns that the first version was added, with its ID, and no Try again is beside it', async () => {
    const page = await app.openSignedIn()
    await loseAnswers(page, 1)
    await fillIn(page, { name: 'Before' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('After')
    await sheet(page).getByRole('button', { name: 'Try again' }).click()
    await sheet(page).getByText('The first version was added').waitFor()
    await sheet(page)
      .getByText(/Before.* was added with ID/)
      .waitFor()
    expect(await sheet(page).getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await sheet(page).getByRole('button', { name: 'Add this one as well' }).click()
    await isClosed(page)
    await page.getByText(/After.* was added with ID/).waitFor()
    expect([(await stored('Before')).length, (await stored('After')).length]).toEqual([1, 1])
  })

  test('nothing is tried again with another API key: there it would be another request', async () => {
    const page = await app.openSignedIn()
    await loseAnswers(page, 1)
    await fillIn(page, { name: 'Of the first key' })
    await send(page)
    await sheet(page).getByText('may have been added').waitFor()
    await page.keyboard.press('Escape')
    await isClosed(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, await createKey(app.service().options.databaseUrl, 'second'))
    await page.getByText('Look for it in the list before you add it again').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  })
})

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { browserTests, keyMenu, namesOf, signIn, signOut } from '../../support/browser/browser.ts'
import { fillIn, isAdded, line, nameField, openForm, send, sendAndClose } from '../../support/browser/form.ts'
import { holdAdditions, loseAnswers } from '../../support/browser/network.ts'
import { close, isClosed, sheet } from '../../support/browser/sheet.ts'
import { createKey } from '../../support/process.ts'

const { describe, test, withConsole } = browserTests()
const app = withConsole()
const nameIn = (page: Page): Promise<string> => nameField(page).inputValue()

test('an outcome finds its place: in the open form, or above a list that does not show the animal', async () => {
  const page = await app.openSignedIn('/?status=sold')
  const letGo = await holdAdditions(page)
  await fillIn(page, { name: 'Held' })
  await sendAndClose(page)
  await isClosed(page)
  await page.getByText('Additions: 1 on the way.').waitFor()
  await fillIn(page, { name: 'Newer' })
  // What was sent cannot be changed.
  await line(page, 'Held').getByText('on its way…').waitFor()
  expect(await line(page, 'Held').getByRole('button').count()).toBe(0)
  letGo()
  await isAdded(page, 'Held')
  expect(await nameIn(page)).toBe('Newer')
  await close(page)
  expect(new URL(page.url()).search).toBe('?status=sold')
  await page.getByText('was added with ID').getByText('but does not match this view').waitFor()
  await page.getByRole('button', { name: 'Show all animals' }).first().click()
  await page.getByText('but does not match this view').waitFor({ state: 'detached' })
  await page.locator('.animals').getByText('Held').waitFor()
  await page.locator(':focus').waitFor()
  expect(await app.stored('Held')).toHaveLength(1)
})

describe('after a lost response', () => {
  test('what was sent cannot be changed, and is pointed out to who types the same again', async () => {
    const page = await app.openSignedIn()
    await loseAnswers(page, 1)
    await fillIn(page, { name: 'Put aside' })
    await send(page)
    const lost = line(page, 'Put aside')
    await lost.getByText('may have been added').waitFor()
    expect(await lost.getByRole('button', { name: 'Correct' }).count()).toBe(0)
    await page.keyboard.type('Put aside')
    await sheet(page).getByText('is among your additions below').waitFor()
    await nameField(page).fill('Another')
    await lost.getByRole('button', { name: 'Try again' }).click()
    await isAdded(page, 'Put aside')
    expect(await nameIn(page)).toBe('Another')
    await send(page)
    await isAdded(page, 'Another')
    expect([(await app.stored('Put aside')).length, (await app.stored('Another')).length]).toEqual([1, 1])
  })

  test.each(['signed out', 'revoked'])(
    'nothing is tried again with another API key, after one was %s: there it would be another request',
    async end => {
      const key = await createKey(app.service().options.databaseUrl, end)
      const page = await app.open()
      await signIn(page, key)
      await loseAnswers(page, 1)
      await fillIn(page, { name: `Of a key that was ${end}` })
      await send(page)
      await line(page, `Of a key that was ${end}`).getByText('may have been added').waitFor()
      if (end === 'revoked') {
        await app.revoke(end, key)
        await sheet(page).getByRole('button', { name: 'Try again' }).click()
      } else {
        await close(page)
        await signOut(page)
      }
      await signIn(page)
      if (end === 'signed out') await page.getByRole('button', { name: 'Review' }).click()
      await sheet(page).locator('li').getByText('Look for it in the list before you add it again').waitFor()
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
      expect(await app.stored(`Of a key that was ${end}`)).toHaveLength(1)
    },
  )
})

describe('while an animal is on its way, signing out and in with another API key', () => {
  /** A page with another API key than the one that has just sent this animal. Also returns what lets it go on its way. */
  async function signedInAnew(name: string) {
    await app.add({ name: 'Here before' })
    const key = await createKey(app.service().options.databaseUrl, name)
    const page = await app.open()
    await signIn(page, key)
    const letGo = await holdAdditions(page)
    await fillIn(page, { name })
    await sendAndClose(page)
    await signOut(page)
    await signIn(page)
    await page.getByText('Additions: 1 on the way').waitFor()
    expect(await namesOf(page)).toContain('Here before')
    return { page, key, letGo }
  }

  test('shows it in the list when it is added', async () => {
    const { page, letGo } = await signedInAnew('Of an earlier key')
    letGo()
    await page.locator('.animals').getByText('Of an earlier key').waitFor()
    await page.getByText('Of an earlier key was added with ID').waitFor()
    expect(await app.stored('Of an earlier key')).toHaveLength(1)
  })

  test('stays signed in when the earlier key is refused, and can add the animal', async () => {
    const { page, key, letGo } = await signedInAnew('Of a refused key')
    await app.revoke('Of a refused key', key)
    letGo()
    await page.getByRole('button', { name: 'Review' }).click()
    expect(await keyMenu(page).count()).toBe(1)
    await line(page, 'Of a refused key').getByText('not added: this API key was revoked').waitFor()
    await line(page, 'Of a refused key').getByRole('button', { name: 'Try again' }).click()
    await isAdded(page, 'Of a refused key')
    expect(await app.stored('Of a refused key')).toHaveLength(1)
  })
})

describe('closing the form', () => {
  test('by a double click on Close or many Escapes stays in the console, signed in, at any width', async () => {
    const page = await app.openSignedIn()
    for (const width of [390, 1000]) {
      await page.setViewportSize({ width, height: 720 })
      await openForm(page)
      await sheet(page).getByRole('button', { name: 'Close', exact: true }).dblclick()
      await isClosed(page)
      await openForm(page)
      await sheet(page).waitFor()
      for (let press = 0; press < 4; press++) await page.keyboard.press('Escape')
      await isClosed(page)
      expect([width, await page.getByRole('button', { name: 'Add animal' }).count()]).toEqual([width, 1])
      expect(page.url()).toBe(`${app.service().url}/`)
    }
  })

  test('keeps what was typed as a draft: through Escape, a reload, Back and a revoked key', async () => {
    const key = await createKey(app.service().options.databaseUrl, 'short-lived')
    const page = await app.open()
    await signIn(page, key)
    await fillIn(page, { name: 'Typed', category: '12' })
    await close(page)
    await openForm(page)
    await page.reload()
    expect(await nameIn(page)).toBe('Typed')
    await page.goBack()
    await isClosed(page)
    await openForm(page)
    await app.revoke('short-lived', key)
    await send(page)
    await signIn(page)
    // Nothing was stored, so it may be added with another API key.
    await line(page, 'Typed').getByText('not added: this API key was revoked').waitFor()
    expect(await app.stored('Typed')).toEqual([])
    await line(page, 'Typed').getByRole('button', { name: 'Try again' }).click()
    await isAdded(page, 'Typed')
    expect((await app.stored('Typed')).map(({ categoryId }) => categoryId)).toEqual([12n])
  })
})

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { browserTests, namesOf, PHONE, signIn, signOut } from '../../support/browser/browser.ts'
import { fillIn, isAdded, line, nameField, sendAndClose } from '../../support/browser/form.ts'
import { close, isClosed, sheet } from '../../support/browser/sheet.ts'
import { createKey } from '../../support/process.ts'

const { describe, test, withConsole } = browserTests()

const tray = (page: Page) => sheet(page).locator('.tray')
const lines = (page: Page) => tray(page).locator('> ol > li')
const active = (page: Page): Promise<string> =>
  page.evaluate<string>(
    `document.activeElement.id || document.activeElement.ariaLabel || document.activeElement.innerText`,
  )

async function addAll(page: Page, names: readonly string[]): Promise<void> {
  for (const each of names) {
    await page.keyboard.type(each)
    await page.keyboard.press('Enter')
  }
}

describe('with a limit of 6 requests', () => {
  const app = withConsole({ variables: { PETSTORE_RATE_LIMIT: '6/30s' } })

  test('eight by Enter and a reload: each is added or kept until it is added or thrown away', async () => {
    const page = await app.open()
    await signIn(page)
    await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
    const reads: string[] = []
    page.on('request', request => request.method() === 'GET' && reads.push(request.url()))
    await fillIn(page, { name: '', category: '31' })
    await nameField(page).focus()
    const names = ['R1', 'R2', 'R3', 'R4', 'R5', 'R6', 'R7', 'R8']
    await addAll(page, names)
    await sheet(page).getByText('4 not added').waitFor()
    // Signing in and reading the list took two requests, and no addition spent one on a refresh. The icon may be late.
    expect(reads.filter(url => url.includes('/v1/'))).toEqual([])
    expect((await namesOf(page)).toSorted()).toEqual(names.slice(0, 4))
    await page.keyboard.type('Typed on')
    await page.reload()
    for (const refused of names.slice(4))
      await line(page, refused).getByText('not added: too many requests').waitFor()
    expect(await nameField(page).inputValue()).toBe('Typed on')
    await line(page, 'R8').getByRole('button', { name: 'Dismiss' }).click()
    await page.reload()
    await line(page, 'R7').waitFor()
    expect(await lines(page).count()).toBe(3)
  })
})

describe('a tray of many outcomes', () => {
  const app = withConsole()

  /** Answers the additions of these animals in this way, without the service. */
  async function answer(page: Page, status: number, code: string, only = /./): Promise<void> {
    await page.route('**/v1/pets', route => {
      const request = route.request()
      if (request.method() !== 'POST' || !only.test(String(request.postDataJSON().name)))
        return route.fallback()
      const body = JSON.stringify({ code, message: `Refused as ${code}.`, status })
      return route.fulfill({ status, contentType: 'application/json', body })
    })
  }

  test('says what is wrong, corrects it only in an empty form, and never loses the focus', async () => {
    const page = await app.openSignedIn()
    await answer(page, 413, 'body_too_large', /^Large/)
    await answer(page, 400, 'invalid_body', /^Invalid/)
    await fillIn(page, { name: 'Large 1', category: '32', status: 'sold' })
    await nameField(page).focus()
    await page.keyboard.press('Enter')
    await addAll(page, ['Large 2', 'Invalid'])
    await line(page, 'Invalid').getByText('not added: refused as invalid_body', { exact: true }).waitFor()
    await line(page, 'Large 1').getByText('not added: too large to send').waitFor()
    // Trying again would be of no use.
    expect(await tray(page).getByRole('button', { name: /Try/ }).count()).toBe(0)

    await page.keyboard.type('Half')
    const correct = line(page, 'Large 1').getByRole('button', { name: 'Correct' })
    expect(await line(page, 'Invalid').innerText()).toContain('invalid_body. Finish or clear the form first.')
    expect(await correct.getAttribute('aria-disabled')).toBe('true')
    await correct.click({ force: true })
    expect(await nameField(page).inputValue()).toBe('Half')
    await page.reload()
    await line(page, 'Large 1').waitFor()
    expect(await nameField(page).inputValue()).toBe('Half')
    await sheet(page).getByRole('button', { name: 'Clear' }).click()
    expect([await active(page), await nameField(page).inputValue()]).toEqual(['name', ''])

    // A double click dismisses one line, and the focus goes to the next one.
    await line(page, 'Large 2').getByRole('button', { name: 'Dismiss' }).dblclick()
    await line(page, 'Large 2').waitFor({ state: 'detached' })
    expect(await lines(page).count()).toBe(2)
    expect(await active(page)).toMatch(/Correct|Dismiss/)
    await line(page, 'Invalid').getByRole('button', { name: 'Dismiss' }).press('Enter')
    expect(await active(page)).toMatch(/Correct|Dismiss/)
    await correct.click()
    expect([await active(page), await nameField(page).inputValue()]).toEqual(['name', 'Large 1'])
    expect(await tray(page).count()).toBe(0)
    await page.keyboard.press('End')
    await page.keyboard.type('!')
    await page.unroute('**/v1/pets')
    await page.keyboard.press('Enter')
    await isAdded(page, 'Large 1!')
    expect(await app.stored('Large 1!')).toMatchObject([{ categoryId: 32n, status: 'sold' }])
  })

  test('is one line above the list, which leads to it', async () => {
    const page = await app.openSignedIn()
    await answer(page, 503, 'unavailable')
    await fillIn(page, { name: 'Away', category: '34' })
    await sendAndClose(page)
    await isClosed(page)
    await page.getByText('1 animal needs your attention: 1 not added.').waitFor()
    await page.unroute('**/v1/pets')
    await answer(page, 503, 'outcome_unknown')
    await fillIn(page, { name: 'Perhaps', category: '34' })
    await sendAndClose(page)
    await page.getByText('2 animals need your attention: 1 may have been added, 1 not added.').waitFor()
    await page.unroute('**/v1/pets')
    await signOut(page)
    await signIn(page, await createKey(app.service().options.databaseUrl, 'another'))
    await page.getByRole('button', { name: 'Review' }).click()
    await line(page, 'Perhaps')
      .getByText(/^may have been added\. Look .* Idempotency-Key: \d+(-\d+){3}$/)
      .waitFor()
    await close(page)
    await signOut(page)
    await signIn(page)
    await page.getByRole('button', { name: 'Review' }).click()
    await line(page, 'Away').getByText('not added: the service cannot respond right now').waitFor()
    await page.setViewportSize(PHONE.viewport)
    await expectAccessible(page)
    await sheet(page).getByRole('button', { name: 'Try all again' }).click()
    await isAdded(page, 'Away')
    await isAdded(page, 'Perhaps')
    await close(page)
    expect(await active(page)).not.toBe('')
    expect(await app.stored('Away')).toHaveLength(1)
  })
})

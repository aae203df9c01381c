import { expect } from 'bun:test'
import { browserTests, PHONE, signIn, signOut } from '../../support/browser/browser.ts'
import { button, heading, importOne, shownLines } from '../../support/browser/import.ts'
import { holdAdditions } from '../../support/browser/network.ts'
import { chooseFile, close, isClosed, sheet } from '../../support/browser/sheet.ts'
import { createKey } from '../../support/process.ts'

const { describe, test, withConsole } = browserTests()
const [app, large] = [withConsole(), withConsole()]
const open = () => app.openSignedIn('/#import')
const ndjson = (name: string, count: number) =>
  Array.from({ length: count }, (_, n) => `{"name":"${name} ${n}","categoryId":9007199254740993}`).join('\n')

describe('no animal is added twice or lost', () => {
  test('by a pause, a closed sheet, a lost connection, or any of them at any moment', async () => {
    const page = await open()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    let posts = 0
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST' || ++posts <= 8) return route.continue()
      // The service has the animal; the pause comes before the response.
      await route.fetch()
      return held()
    })
    await chooseFile(page, 'animals.ndjson', ndjson('Line', 30))
    await button(page, 'Add 30 animals').click()
    await isHeld
    await button(page, 'Close').click()
    await isClosed(page)
    await page.getByText('animals.ndjson: Adding animals: 8 of 30').waitFor()
    await page.getByRole('button', { name: 'Open the import' }).click()
    await button(page, 'Pause').dblclick()
    await heading(page, /^Paused at 8 of 30/)
    await page.getByText('4 more may have been added').waitFor()
    await sheet(page).getByRole('heading', { name: '8 lines added' }).waitFor()
    expect(await shownLines(page)).toHaveLength(8)
    await page.unroute('**/v1/pets')
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST') return route.continue()
      // Half of the lost requests reached the service.
      if (++posts % 2) await route.fetch()
      // The end of this rule may have handled it meanwhile.
      return route.abort().catch(() => undefined)
    })
    await button(page, 'Resume').click()
    await page.getByText('The service cannot be reached. No line is lost').waitFor()
    await page.unroute('**/v1/pets')
    await heading(page, /^30 animals were added/)
    await close(page)
    await page.getByRole('button', { name: 'Dismiss the import' }).click()
    await page.getByText('animals.ndjson: 30 animals were added').waitFor({ state: 'detached' })
    const lines = await app.stored(/^Line/)
    expect([lines.length, new Set(lines.map(({ name }) => name)).size]).toEqual([30, 30])
    expect(new Set(lines.map(({ categoryId }) => categoryId))).toEqual(new Set([9007199254740993n]))
  })

  test('by signing out, which ends the import', async () => {
    const page = await open()
    const letGo = await holdAdditions(page)
    await chooseFile(page, 'animals.ndjson', ndjson('Of a guest', 9))
    await button(page, 'Add 9 animals').click()
    await heading(page, /^Adding animals: 0 of 9/)
    await close(page)
    await signOut(page)
    await page.getByLabel('API key').waitFor()
    const sent: string[] = []
    page.on('request', request => sent.push(request.method()))
    letGo()
    await signIn(page)
    await page.locator('.animals').waitFor()
    expect(sent).not.toContain('POST')
  })

  test('by an API key that is refused: the report stays, and the rest is added with another one', async () => {
    const page = await app.open('/#import')
    const key = await createKey(app.service().options.databaseUrl, 'of an import')
    await signIn(page, key)
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    let posts = 0
    await page.route('**/v1/pets', async route => {
      if (route.request().method() !== 'POST' || ++posts <= 8) return route.continue()
      // The service has the animal; the refusal comes before the response.
      await route.fetch()
      return held()
    })
    await chooseFile(page, 'animals.ndjson', ndjson('Of two keys', 30))
    await button(page, 'Add 30 animals').click()
    await isHeld
    await app.revoke('of an import', key)
    await page.evaluate("dispatchEvent(new Event('online'))")
    await page.getByLabel('API key', { exact: true }).waitFor()
    await page.unroute('**/v1/pets')
    await signIn(page)
    await heading(page, /^Paused at 8 of 30/)
    expect(await shownLines(page)).toHaveLength(8)
    await button(page, 'Resume').click()
    await button(page, /^Add \d+ animals$/).click()
    await heading(page, /^\d+ animals were added/)
    const stored = await app.stored(/^Of two keys/)
    expect([stored.length, new Set(stored.map(({ name }) => name)).size]).toEqual([30, 30])
  })

  test('by an API key that is revoked, which the report says beside what is in doubt: nothing', async () => {
    const page = await app.openSignedIn('/#import', PHONE)
    const refusal = { code: 'invalid_api_key', message: 'This API key was revoked.', status: 401 }
    await page.route('**/v1/pets', route =>
      route.request().method() === 'POST' ? route.fulfill({ status: 401, json: refusal }) : route.continue(),
    )
    await chooseFile(page, 'revoked.csv', 'name,category,State\nRevoked 1,7,sold\nRevoked 2,7,sold\n')
    await page.getByText(/Not read: State\..* All are read as available\./).waitFor()
    // Three lines of text, with room above and below.
    const note = await page.locator('.sheet .note').boundingBox()
    expect(note?.height).toBeGreaterThanOrEqual(3 * 20 + 2 * 8)
    await button(page, 'Add 2 animals').click()
    await heading(page, /^Stopped at 0 of 2/)
    await page.getByRole('alert').getByText(refusal.message).waitFor()
    expect(await page.getByText('may have been added').count()).toBe(0)
    expect(await app.stored(/^Revoked/)).toEqual([])
  })

  test('of 10,000 rows, by a pause, a reload, the same file again, and once more', async () => {
    const page = await large.openSignedIn('/#import')
    const row = (n: number) => `Of many ${n % 5000};${9007199254740993n + BigInt(n % 5000)}`
    const file = ['name;Category', ...Array.from({ length: 10_000 }, (_, n) => row(n))].join('\r\n')
    await chooseFile(page, 'many.csv', file)
    await button(page, 'Add 10,000 animals').dblclick()
    await heading(page, /^Adding animals: [1-9]\d{2}/)
    await button(page, 'Pause').click()
    await heading(page, /^Paused at/)
    await button(page, 'Resume').click()
    await heading(page, /^Adding animals: [2-9],\d{3}/, { timeout: 120_000 })
    page.on('dialog', dialog => void dialog.accept())
    await page.reload()
    await chooseFile(page, 'many.csv', file)
    await button(page, /^Add [\d,]+ animals$/).click()
    await heading(page, /were added/, { timeout: 200_000 })
    expect(await large.stored(/^Of many/)).toHaveLength(10_000)
    await button(page, 'Choose another file').waitFor()
    await page.reload()
    await chooseFile(page, 'many.csv', file)
    await heading(page, /^Nothing new/)
    expect(await button(page, 'Add 0 animals').getAttribute('aria-disabled')).toBe('true')
    expect(await large.stored(/^Of many/)).toHaveLength(10_000)
  }, 290_000)

  test('that someone else adds while the file is looked at', async () => {
    const page = await open()
    await chooseFile(page, 'two.csv', 'name,category\nOf both,3\nOf one,3\n')
    await button(page, 'Add 2 animals').waitFor()
    await app.add({ name: 'Of both', categoryId: 3n, status: 'available' })
    await page.context().setOffline(true)
    await page.context().setOffline(false)
    await importOne(page)
    expect(await app.stored('Of both')).toHaveLength(1)
  })
})

describe('a rate limit or an unavailable service', () => {
  const limited = withConsole({ variables: { PETSTORE_RATE_LIMIT: '6/3s' } })

  test('is waited for, and no row is refused or lost', async () => {
    const page = await limited.openSignedIn('/#import')
    let isFirst = true
    await page.route('**/v1/pets', route => {
      if (route.request().method() !== 'POST' || !isFirst) return route.continue()
      isFirst = false
      const body = { code: 'unavailable', message: 'Later.', status: 503 }
      return route.fulfill({ status: 503, json: body, headers: { 'retry-after': '1' } })
    })
    await chooseFile(page, 'animals.ndjson', ndjson('Limited', 12))
    await button(page, 'Add 12 animals').click()
    await page.getByText('The service cannot respond right now. No line is lost').waitFor()
    await page.getByText(/Too many requests. No line is lost: the import continues at \d/).waitFor()
    await heading(page, /^12 animals were added/)
    expect((await limited.service().fetch('/v1/pets?limit=100')).pets).toHaveLength(12)
  })
})

import { expect } from 'bun:test'
import { namesOf, withConsole } from '../../../support/browser/browser.ts'
import { petJson } from '../../../support/http/exact.ts'
import { needs } from '../../../support/programs/needs.ts'
import { eventually } from '../../../support/service/process.ts'

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const ANIMALS = 250
const LOOK_EVERY_MS = 15_000
/** Runs in the page: acts as if another tab were in front of it. */
const HIDE = `Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })`
const SHOW = `delete document.visibilityState; document.dispatchEvent(new Event('visibilitychange'))`

const app = withConsole(suite)
beforeAll(async () => {
  for (let n = 1; n <= ANIMALS; n++)
    await app
      .service()
      .post(petJson({ name: n === 240 ? 'Needle' : `No. ${n}`, status: n % 5 === 0 ? 'sold' : 'available' }))
})

describe('finding an animal', () => {
  test('by name, through all pages; / leads to the box and Escape out of it', async () => {
    const page = await app.openSignedIn()
    await page.locator('.animals').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('nEEd')
    await page.getByText(`1 animal found among ${ANIMALS} animals`).waitFor()
    expect(await page.locator('.name .name-text').allTextContents()).toEqual(['Needle'])
    expect(await page.title()).toStartWith('Find “nEEd”')
    await page.keyboard.press('Escape')
    expect(await namesOf(page)).toHaveLength(20)
  })

  test('by ID before all are read, and it says what becomes of that operation', async () => {
    const page = await app.openSignedIn()
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    await page.route('**/v1/pets?limit=100*', async route => {
      await promise
      await route.continue().catch(() => undefined)
    })
    await page.reload()
    await page.getByLabel('Find by name or ID').fill('240')
    await page.locator('.name').getByText('Needle').waitFor()
    await page.getByText('will be removed on 5 December 2030').waitFor()
    letGo()
  })

  test('can be stopped on the way, and goes on', async () => {
    const page = await app.openSignedIn()
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    // Every page except the first.
    await page.route('**/v1/pets?limit=100&cursor=*', async route => {
      await promise
      await route.continue().catch(() => undefined)
    })
    await page.reload()
    await page.getByLabel('Find by name or ID').fill('Needle')
    await page.getByText('0 animals found among the first 100').waitFor()
    await page.getByRole('button', { name: 'Stop' }).last().click()
    letGo()
    await page.getByRole('button', { name: 'Search the rest' }).click()
    await page.getByText(`1 animal found among ${ANIMALS} animals`).waitFor()
  })

  test('Newest leads to the last page, with the pages before it behind Previous', async () => {
    const page = await app.openSignedIn('/?limit=20')
    await page.getByRole('button', { name: 'Newest' }).click()
    await page.getByText('No. 250', { exact: true }).waitFor()
    await page.getByText('10 animals on this page, the last page').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('Needle', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'sold' }).click()
    await page.locator('.animals:not(.stale)').waitFor()
    await page.getByRole('button', { name: 'Newest' }).click()
    await page.getByText('No. 250', { exact: true }).waitFor()
  })
})

describe('the counts', () => {
  test('are right, say when, and a second count costs a 304 for what has not changed', async () => {
    const page = await app.openSignedIn()
    const counts = page.getByRole('region', { name: 'Counts by status' })
    await counts.getByText(`${ANIMALS} animals in all, counted at`).waitFor()
    expect(await counts.getByRole('listitem').allTextContents()).toEqual([
      '200 available',
      '0 pending',
      '50 sold',
    ])
    const before = unchanged()
    await counts.getByRole('button', { name: 'Count again' }).click()
    await eventually('three unchanged answers', () => unchanged() - before === 3 || undefined)
  })

  test('new animals of others are noticed and shown when asked for', async () => {
    const page = await app.openSignedIn('/?limit=100')
    await page.getByText('in all, counted at').waitFor()
    await app.service().post(petJson({ name: 'From elsewhere' }))
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await page.getByText('1 new animal', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.animals').getByText('From elsewhere').waitFor()
    await page.getByText(`${ANIMALS + 1} animals in all`).waitFor()
  })
})

describe('while the page is looked at', () => {
  test('new animals are noticed by asking every 15 seconds, with the tag of what is known', async () => {
    const page = await app.openSignedIn()
    await page.clock.install()
    await page.reload()
    await page.getByText('in all, counted at').waitFor()
    const before = unchanged()
    await page.clock.fastForward(LOOK_EVERY_MS)
    await eventually('an unchanged answer', () => unchanged() > before || undefined)
    // One poll fails: the count stays, and the next poll reaches the service again.
    await page.route('**/v1/pets?limit=100*', route => route.abort())
    const failed = page.waitForEvent('requestfailed')
    await page.clock.fastForward(LOOK_EVERY_MS)
    await failed
    await page.unroute('**/v1/pets?limit=100*')
    for (const name of ['One', 'Two', 'Three']) await app.service().post(petJson({ name }))
    await page.getByText('in all, counted at').waitFor()
    await eventually('the news', async () => {
      await page.clock.fastForward(LOOK_EVERY_MS)
      return (await page.getByText('3 new animals', { exact: true }).isVisible()) || undefined
    })
  })

  test('and no longer while it is hidden', async () => {
    const page = await app.openSignedIn()
    await page.clock.install()
    await page.reload()
    await page.getByText('in all, counted at').waitFor()
    await page.evaluate(HIDE)
    const sent: string[] = []
    page.on('request', request => sent.push(request.url()))
    await page.clock.fastForward(4 * LOOK_EVERY_MS)
    await page.evaluate(SHOW)
    await eventually('one look', () => sent.length > 0 || undefined)
    expect(sent).toHaveLength(1)
  })
})

const unchanged = (): number => app.service().output.log.filter(({ status }) => status === 304).length

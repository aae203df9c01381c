import { expect } from 'bun:test'
import { expectAccessible } from '../../support/browser/accessibility.ts'
import { namesOf, withConsole } from '../../support/browser/browser.ts'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'
import { eventually } from '../../support/service/process.ts'

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const ANIMALS = 250

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
    await expectAccessible(page)
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
    await page.getByText('is to be removed on 5 December 2030').waitFor()
    await expectAccessible(page)
    letGo()
  })

  test('can be stopped on the way, and goes on', async () => {
    const page = await app.openSignedIn()
    const { promise, resolve: letGo } = Promise.withResolvers<void>()
    // The first page is let through, whether the search or the count asks for it.
    await page.route('**/v1/pets?limit=100*', async route => {
      if (route.request().url().includes('cursor=')) await promise
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
    await page.getByText('10 animals on this page, which is the last').waitFor()
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
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show', exact: true }).click()
    await page.locator('.animals').getByText('From elsewhere').waitFor()
    await page.getByText(`${ANIMALS + 1} animals in all`).waitFor()
  })
})

const unchanged = (): number => app.service().output.log.filter(({ status }) => status === 304).length

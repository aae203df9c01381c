import { expect } from 'bun:test'
import { namesOf, rowsOf, signIn, withConsole } from '../../support/browser/browser.ts'
import { petJson } from '../../support/http/exact.ts'
import { needs } from '../../support/programs/needs.ts'

const suite = needs('chromium')
const { beforeAll, describe, test } = suite

const app = withConsole(suite)

test('an empty store says how to add the first animal', async () => {
  const page = await app.openSignedIn()
  await page.getByRole('heading', { name: 'No animals yet' }).waitFor()
  await page.getByRole('button', { name: 'Add the first animal' }).click()
  await page.getByRole('heading', { name: 'Add an animal' }).waitFor()
})

describe('the list', () => {
  beforeAll(async () => {
    for (let n = 1; n <= 25; n++)
      await app.service().post(petJson({ name: `No. ${n}`, status: n % 5 === 0 ? 'pending' : 'available' }))
    await app.service().post(petJson({ name: 'least', categoryId: -(2n ** 63n) }))
    await app.service().post(petJson({ name: 'most', categoryId: 2n ** 63n - 1n }))
    await app.service().post(petJson({ name: '<img src=x onerror=alert(1)>' }))
  })

  test('shows id, name, category and status, exact to the last digit, and names as text', async () => {
    const page = await app.openSignedIn('/?limit=100')
    const rows = await rowsOf(page)
    expect(rows).toHaveLength(28)
    expect(rows[0]?.filter((_, column) => column !== 1)).toEqual(['1', '7', 'available'])
    expect(await namesOf(page)).toContain('<img src=x onerror=alert(1)>')
    expect(await page.locator('main img').count()).toBe(0)
    expect(rows.find(row => row[1]?.startsWith('least'))?.[2]).toBe('-9223372036854775808')
    expect(rows.find(row => row[1]?.startsWith('most'))?.[2]).toBe('9223372036854775807')
  })

  test('goes forward and back, page by page', async () => {
    const page = await app.openSignedIn('/?limit=10')
    const first = await namesOf(page)
    expect(first).toHaveLength(10)
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('No. 11').waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('8 animals on this page, the last page').waitFor()
    expect(await page.getByRole('button', { name: 'Next' }).getAttribute('aria-disabled')).toBe('true')
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('No. 11').waitFor()
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('No. 10').waitFor()
    expect(await namesOf(page)).toEqual(first)
  })

  test('begins each page at its top, and its buttons stay where they are', async () => {
    const page = await app.openSignedIn('/?limit=10', { viewport: { width: 800, height: 400 } })
    const next = page.getByRole('button', { name: 'Next' })
    await next.scrollIntoViewIfNeeded()
    const { x, y } = (await next.boundingBox()) ?? { x: 0, y: 0 }
    const scrolled = await page.evaluate<number>('scrollY')
    expect(scrolled).toBeGreaterThan(0)
    await next.click()
    await page.getByText('No. 11').waitFor()
    expect(await page.evaluate<number>('scrollY')).toBe(0)
    const after = await next.boundingBox()
    expect([after?.x, after?.y]).toEqual([x, y + scrolled])
  })

  test('has its state in the address: reload, back and forward lead where they should', async () => {
    const page = await app.openSignedIn()
    await page.getByRole('link', { name: 'pending' }).click()
    await page.getByText('No. 25').waitFor()
    expect(await namesOf(page)).toEqual(['No. 5', 'No. 10', 'No. 15', 'No. 20', 'No. 25'])
    await page.getByLabel('Per page').selectOption('10')
    await page.getByRole('link', { name: 'all' }).click()
    await page.getByText('No. 1', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByText('No. 11').waitFor()
    await page.reload()
    await page.getByText('No. 11').waitFor()
    expect(new URL(page.url()).search).toMatch(/^\?limit=10&cursor=[\w-]+$/)
    await page.getByRole('button', { name: 'Previous' }).click()
    await page.getByText('No. 1', { exact: true }).waitFor()
    await page.goBack()
    await page.getByText('No. 11').waitFor()
    await page.goBack()
    await page.goBack()
    await page.getByText('5 animals on this page, no more').waitFor()
    await page.goForward()
    await page.getByText('No. 1', { exact: true }).waitFor()
  })

  test('a page can be opened from its address alone, and leads to the first', async () => {
    const before = await app.openSignedIn('/?limit=10')
    await before.getByRole('button', { name: 'Next' }).click()
    await before.getByText('No. 11').waitFor()
    const page = await app.open(before.url())
    await signIn(page)
    await page.getByText('No. 11').waitFor()
    await page.getByRole('button', { name: 'First page' }).click()
    await page.getByText('No. 1', { exact: true }).waitFor()
  })

  test('an address that no page has, and a status that no animal has, are calm states with a way on', async () => {
    const page = await app.openSignedIn('/?cursor=made-up')
    await page.getByText('This page of the list cannot be opened').waitFor()
    await page.getByRole('button', { name: 'Go to the first page' }).click()
    await page.getByText('No. 1', { exact: true }).waitFor()
    await page.getByRole('link', { name: 'sold' }).click()
    await page.getByRole('heading', { name: 'No sold animals' }).waitFor()
    await page.getByRole('button', { name: 'Show all animals' }).click()
    await page.getByText('No. 1', { exact: true }).waitFor()
  })
})

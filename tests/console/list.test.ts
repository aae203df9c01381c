import { beforeAll, expect, test } from 'bun:test'
import { openConsole } from '../support/page/page.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService()
beforeAll(async () => {
  for (let n = 1; n <= 60; n++) await service().add({ name: `Animal ${n}`, categoryId: BigInt(n % 3) })
})

test('an animal is opened from its row, and closing it returns there', async () => {
  await using page = await openConsole(service().url)
  await page.role('link', 'Animal 60').click()
  expect(await page.role('dialog').said()).toContain('ID60')
  expect(page.address).toBe('/#animal=60')
  await page.button('Close').click()
  await page.role('dialog').gone()
  await page.role('link', 'Animal 60').hasFocus()
  expect(page.address).toBe('/')
})
test('a page of the list has an address', async () => {
  await using page = await openConsole(service().url)
  await page.button('Next page').click()
  await page.text('Page 2 of 2').one()
  expect(page.address).toBe('/?page=2')
  expect(page.css('.name-link').count).toBe(10)
})

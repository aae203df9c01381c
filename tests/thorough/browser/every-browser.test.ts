import { expect } from 'bun:test'
import { BROWSERS } from '../../support/browser/drivers.ts'
import { FOCUSED, IS_READ, OnePage, OUTLINE } from '../../support/browser/one-page.ts'
import { petJson, walk } from '../../support/http.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY, type ServiceProcess, startProcess } from '../../support/service.ts'

const [DESK, TABLET, PHONE] = [1440, 820, 390]
const STATUSES = ['available', 'pending', 'sold']
const MENUS = ['Sort', 'More', 'Your API key']
const SHEETS = ['add', 'import', 'help', 'categories', 'animal=1', 'export']

/** These run in the page. */
const WIDER = `[...document.querySelectorAll('html, dialog, .sheet-body, .category-cell, .status-cell')]
  .filter(one => one.scrollWidth > one.clientWidth).map(one => one.className || 'page')`
const isShown = (selector: string, text: string) =>
  `document.querySelector('${selector}')?.innerText.includes('${text}')`
const edges = (element: string) =>
  `(({ left, right, top, bottom }) => [left, right, top, bottom])(${element}.getBoundingClientRect())`
type Edges = [left: number, right: number, top: number, bottom: number]

/** Drops a file on the sheet, with more lines than fit into it. */
const DROP = `(() => {
  const dataTransfer = new DataTransfer()
  const lines = ['name,category', 'Of a file,12', 'W'.repeat(255) + ',x', ...Array(30).fill('Of a file,x')]
  dataTransfer.items.add(new File([lines.join('\\n')], 'spring.csv'))
  document.querySelector('dialog').dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }))
})()`

/** Whether each corner of a row leads to its animal, and on a phone there is room for a finger. */
const ROWS_ARE_LINKS = `[...document.querySelectorAll('.animals tbody tr')].slice(20, 22).every(row => {
  row.scrollIntoView({ block: 'center' })
  const { left, right, top, bottom } = row.getBoundingClientRect()
  const isLink = (x, y) => document.elementFromPoint(x, y)?.closest('a') === row.querySelector('a')
  const hasRoom = innerWidth >= 640 || bottom - top >= 44
  return hasRoom && [left + 3, right - 3].every(x => isLink(x, top + 3) && isLink(x, bottom - 3))
})`

for (const [browser, { programs, start }] of Object.entries(BROWSERS)) {
  const { afterAll, beforeAll, describe, test } = needs(...programs)
  let service: ServiceProcess
  let page: OnePage

  const stored = async (name: string) =>
    (await walk(service, '/v1/pets?limit=100')).pets.filter(pet => pet.name === name)

  describe(browser, () => {
    beforeAll(async () => {
      service = await startProcess()
      for (let n = 1; n <= 60; n++)
        await service.post(
          petJson({
            name: `Animal ${n % 26}`,
            categoryId: n % 4 ? -(2n ** 63n) : 12n,
            status: STATUSES[n % 3],
          }),
        )
      page = new OnePage(await start(), service.url)
    })
    afterAll(async () => {
      await page?.close()
      await service?.stop()
    })

    test('the keyboard alone is enough, from signing in to adding animals, reading them and signing out', async () => {
      await page.resize(DESK)
      await page.open('/')
      await page.until(`document.activeElement.id === 'api-key'`)
      await page.type(API_KEY)
      await page.press('Enter')
      await page.until(IS_READ)
      await page.tabTo('Add animal')
      await page.press('Enter')
      await page.until(`document.activeElement.id === 'name'`)
      await page.type('Typed')
      await page.press('Tab')
      // One Enter is enough, though the field suggests categories.
      await page.type('7')
      await page.press('Enter')
      await page.until(isShown('.tray', 'Typed added'))
      await page.type('Second')
      await page.press('Tab', 'Tab')
      expect(await page.evaluate<string>(OUTLINE)).toBe('solid')
      await page.press('ArrowRight')
      await page.tabTo('Add and close')
      await page.press('Enter')
      await page.until(isShown('.note', 'Second was added'))
      expect(await page.evaluate<string>(FOCUSED)).toStartWith('Add animal')
      expect(await stored('Typed')).toMatchObject([{ categoryId: 7n, status: 'available' }])
      expect(await stored('Second')).toMatchObject([{ categoryId: 7n, status: 'pending' }])
      await page.press('j', 'ArrowDown', 'j', 'k')
      expect([await page.evaluate(FOCUSED), await page.evaluate(OUTLINE)]).toEqual(['Typed', 'solid'])
      await page.press('Enter')
      await page.until(isShown('dialog', '2 of 62'))
      await page.press('j')
      await page.until(isShown('dialog', '3 of 62'))
      await page.press('Escape')
      await page.until(`!document.querySelector('dialog') && ${FOCUSED} === 'Animal 8'`)
      await page.tabTo('Your API key', 'Shift+Tab')
      await page.press('Enter')
      await page.tabTo('Sign out')
      await page.press('Enter')
      await page.until(`document.activeElement.id === 'api-key'`)
      await page.resize(PHONE)
      expect(await page.evaluate<string[]>(WIDER)).toEqual([])
    })

    test('each menu opens below its button and in the window; a click elsewhere closes it, Escape or a closed sheet returns there', async () => {
      for (const width of [DESK, TABLET, PHONE]) {
        await page.openSignedIn('/', width)
        for (const menu of MENUS) {
          await page.click(menu)
          await page.until(`document.querySelector(':popover-open')`)
          const [, end, , bottom] = await page.evaluate<Edges>(edges('document.activeElement'))
          const shown = await page.evaluate<Edges>(edges(`document.querySelector(':popover-open')`))
          const expected = [Math.max(end - 192, 8), Math.max(end, 200), bottom + 4].map(edge =>
            expect.closeTo(edge, 0),
          )
          expect([width, menu, ...shown]).toEqual([width, menu, ...expected, expect.any(Number)])
          await page.press('Escape')
          await page.until(`!document.querySelector(':popover-open') && ${FOCUSED}.startsWith('${menu}')`)
          await page.press('Enter')
          await page.until(`document.querySelector(':popover-open')`)
          await page.clickAt(2, 2)
          await page.until(`!document.querySelector(':popover-open')`)
        }
      }
      await page.click('More')
      await page.click('Categories…')
      await page.until(isShown('dialog', 'Categories'))
      await page.press('Escape')
      await page.until(`!document.querySelector('dialog') && ${FOCUSED} === 'More'`)
    })

    test('each sheet fits into the window of a phone, beside its scroll bar', async () => {
      for (const sheet of SHEETS) {
        await page.openSignedIn(`/#${sheet}`, PHONE)
        const [left, right] = await page.evaluate<Edges>(edges(`document.querySelector('dialog')`))
        const width = await page.evaluate<number>('document.documentElement.clientWidth')
        const margin = sheet === 'export' ? 16 : 0
        expect([sheet, left, right]).toEqual([sheet, margin, width - margin])
        expect([sheet, await page.evaluate(WIDER)]).toEqual([sheet, []])
        await page.click('Close')
        await page.until(`!document.querySelector('dialog')`)
      }
    })

    test('a file is imported on a phone, and what was added is marked in the list', async () => {
      await page.openSignedIn('/#import', PHONE)
      await page.evaluate(DROP)
      await page.until(isShown('.tiles', 'With problems'))
      expect(await page.evaluate<number>(`document.querySelector('.tiles').clientHeight`)).toBeGreaterThan(80)
      expect(await page.evaluate<string[]>(WIDER)).toEqual([])
      await page.click('Add 1 animal')
      await page.click('Show it in the list')
      await page.until(`document.querySelector('tr.new .name-text')?.textContent === 'Of a file'`)
      expect(await stored('Of a file')).toMatchObject([{ categoryId: 12n }])
    })

    test('at each width nothing is beside the window, every number is whole, rows are links as a whole, and the statuses of a phone in one line', async () => {
      for (const path of ['/docs', '/'])
        for (const width of [1920, DESK, 1280, TABLET, PHONE, 360]) {
          if (width === 1920) await page.openSignedIn('/', width)
          if (width === 1920) await page.open(path)
          await page.resize(width)
          expect([path, width, await page.evaluate(WIDER)]).toEqual([path, width, []])
          if (path === '/') await page.until(`${IS_READ} && ${ROWS_ARE_LINKS}`)
        }
      for (const count of ['17', '123,456']) {
        const facets = `[...document.querySelectorAll('.overview nav:first-child .facet')]`
        await page.evaluate(`${facets}.map(one => (one.querySelector('strong').textContent = '${count}'))`)
        const tops = await page.evaluate<number[]>(`${facets}.map(one => one.getBoundingClientRect().top)`)
        expect([count, new Set(tops).size]).toEqual([count, 1])
      }
    })
  })
}

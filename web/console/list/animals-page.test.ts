import { afterEach, expect, spyOn, test } from 'bun:test'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { all, click, closePage, draw, openPage, press, texts, until } from '../../../tests/support/console.ts'
import { Access } from '../session/access.ts'
import { BrowserSettings } from '../session/session.ts'
import { AnimalsPage } from './animals-page.tsx'

let asked = 0
let settings: BrowserSettings
afterEach(closePage)

const rex = (id: number, status = 'sold', categoryId = 7) => ({ id, name: `Rex ${id}`, categoryId, status })
const rexes = (count: number) => Array.from({ length: count }, (_, at) => rex(at + 1))

type Answer = (query: URLSearchParams) => Promise<Response> | Response

/** The list at an address, with a store that answers in this way. */
async function open(address: string, answer: Answer | object[], personal = {}) {
  asked = 0
  const fetch = async (url: string) => {
    asked++
    return Array.isArray(answer) ? Response.json(answer) : answer(new URL(url).searchParams)
  }
  Object.assign(globalThis, { fetch })
  openPage(address)
  const access = new Access()
  access.use('pets_live_0123456789abcdef')
  settings = new BrowserSettings()
  settings.set(personal)
  await draw(h(AnimalsPage, {}), { settings, session: access.session })
  await until(() => document.querySelector('.list[aria-busy=false]') ?? textOf('.empty [role=status]'))
  // Happy DOM does not have it.
  for (const menu of all('.menu')) Object.assign(menu, { hidePopover: () => {} })
  return access.session?.index
}

const textOf = (selector: string) => document.querySelector(selector)?.textContent

async function type(text: string): Promise<void> {
  const find = document.querySelector('#find') as HTMLInputElement
  find.value = text
  await act(() => void find.dispatchEvent(new Event('input', { bubbles: true })))
}

test('each item of the menus leads where it says', async () => {
  let index = await open('?sort=-name', rexes(2))
  const led: [item: string, address: string, requests: number][] = []
  for (const item of all('.tools .menu button').map(({ textContent }) => textContent)) {
    const before = asked
    await click('.tools .menu button', item)
    await until(() => !index?.isReading)
    led.push([item, location.search + location.hash, asked - before])
    await draw(null)
    index = await open('?sort=-name', rexes(2))
  }
  expect(led).toEqual([
    ['Newest first', '', 0],
    ['Oldest first', '?sort=id', 0],
    ['By name', '?sort=name', 0],
    ['By status', '?sort=status', 0],
    ['By category', '?sort=category', 0],
    ['Refresh', '?sort=-name', 1],
    ['Import…', '?sort=-name#import', 0],
    ['Export…', '?sort=-name#export', 0],
    ['Categories…', '?sort=-name#categories', 0],
  ])
  using assign = spyOn(location, 'assign').mockImplementation(() => {})
  await click('.session .menu button', 'Reference')
  await click('.session .menu button', 'Help')
  expect([assign.mock.calls, location.hash]).toEqual([[['docs']], '#help'])
})

test.each([
  ['?q=cats', [], ['Rex 1']],
  ['?sort=category', ['Rex 2', 'Rex 1'], ['Rex 1', 'Rex 2']],
])('a name that a category gets changes the list at "%s" from %j to %j', async (address, before, after) => {
  await open(address, [rex(1, 'sold', 40), rex(2, 'sold', 7)])
  expect(texts('.name-link')).toEqual(before)
  await act(() => settings.set({ categoryNames: { 40: 'Cats' } }))
  expect(texts('.name-link')).toEqual(after)
})

test('controls show their shortcuts, the search only until something is typed, and none if shortcuts are off', async () => {
  const named = () => all('.kbd').map(({ textContent }) => textContent)
  await open('', rexes(2))
  expect(named()).toEqual(['/', 'N'])
  await type('R')
  expect(named()).toEqual(['N'])
  await draw(null)
  await open('', rexes(2), { hasShortcuts: false })
  expect(named()).toEqual([])
})

test('Escape ends a search, but without a search it adds nothing to the history', async () => {
  await open('?q=rex&status=sold', rexes(2))
  const find = document.querySelector('#find') as HTMLInputElement
  expect(press('Escape', find)).toBe(true)
  expect([find.value, location.search]).toEqual(['', '?status=sold'])
  const steps = history.length
  press('Escape', find)
  expect(history.length).toBe(steps)
})

test.each([
  ['', 2],
  ['?q=r', 1],
])(
  'a sheet opened while the first letters of a search are typed at "%s" adds %d steps',
  async (at, steps) => {
    await open(at, rexes(2))
    const before = history.length
    await type('re')
    await click('.name-link')
    expect([location.search, location.hash, history.length - before]).toEqual(['?q=re', '#animal=2', steps])
  },
)

test('after stepping between animals, closing the sheet goes back one step', async () => {
  await open('?status=sold', rexes(3))
  using back = spyOn(history, 'back')
  await click('.name-link')
  await click('[aria-label="Next animal"]')
  expect(location.hash).toBe('#animal=2')
  await click('.sheet-close')
  expect(back).toHaveBeenCalledTimes(1)
})

test('a letter pressed in a list of choices is not a shortcut', async () => {
  await open('', rexes(30))
  expect(press('n', document.querySelector('select') as Element)).toBe(false)
  expect(location.hash).toBe('')
})

test('arrows move from row to row instead of the page', async () => {
  await open('', rexes(3))
  const [first, second] = all('.name-link')
  first?.focus()
  expect(press('ArrowDown', first as Element)).toBe(true)
  expect(document.activeElement?.textContent).toBe('Rex 2')
  expect(press('ArrowUp', second as Element)).toBe(true)
  expect(document.activeElement?.textContent).toBe('Rex 3')
  expect(press('Tab', first as Element)).toBe(false)
})

const next = (cursor: string) => ({ headers: { Link: `</v1/pets?limit=100&cursor=${cursor}>; rel="next"` } })

test('the animals of a status chosen while a large store is being read are read next, and leaving the page stops all reading', async () => {
  const hold = () => Promise.withResolvers<Response>()
  const [more, part, rest] = [hold(), hold(), hold()]
  const index = await open('', query => {
    const cursor = query.get('cursor')
    if (query.get('status')) return cursor ? part.promise : Response.json(rexes(100), next('part'))
    if (cursor) return cursor === 'rest' ? rest.promise : more.promise
    return Response.json(rexes(10_000), next('more'))
  })
  const reading = () => textOf('.list .empty p')?.replace(/\s+/g, ' ')
  expect([reading(), textOf('.list strong'), textOf('.total')]).toEqual(['Reading 10,000 …', '', ' Animals'])
  expect(textOf('.empty [role=status]')).toContain('Choose a status to read its animals first.')
  await click('.facet', 'sold')
  more.resolve(Response.json([], next('rest')))
  await until(() => reading() === 'Reading 100 sold …')
  expect([reading(), textOf('.empty [role=status]')]).toEqual(['Reading 100 sold …', ''])
  part.resolve(Response.json([]))
  await until(() => document.querySelector('.pager'))
  expect([textOf('.pager p'), textOf('.total')]).toEqual(['1–50 of 100', ' Reading 10,000 …'])
  const before = asked
  await draw(null)
  rest.resolve(Response.json([], next('last')))
  await until(() => !index?.isReading)
  expect(asked).toBe(before)
})

test.each<[string, object[], string[], string | undefined]>([
  ['', [], ['Add the first animal', 'Import a file'], undefined],
  ['?status=pending', [rex(1)], ['Show all animals'], '1 animal'],
  ['?q=Mia', [rex(1)], ['Show all animals', 'Add “Mia”'], '0 of 1 animal'],
])('at "%s", a list of %j without a match offers %p', async (address, pets, offers, total) => {
  await open(address, pets)
  expect(all('.empty[role=status] button').map(({ textContent }) => textContent)).toEqual(offers)
  expect(textOf('.total')).toBe(total)
})

test('the pager and the choice of length appear only if they change anything', async () => {
  const shown: unknown[] = []
  for (const count of [25, 26, 51]) {
    await open('', rexes(count))
    const off = all('.pager [aria-disabled=true]').map(one => one.getAttribute('aria-label'))
    const numbers = ['select', 'button'].map(part => all(`.pager ${part}`).length)
    shown.push([count, ...numbers, textOf('.pager div span'), off.join()])
    await draw(null)
  }
  expect(shown).toEqual([
    [25, 0, 0, undefined, ''],
    [26, 1, 0, undefined, ''],
    [51, 1, 4, 'Page 1 of 2', 'First page,Previous page'],
  ])
})

test('turning the page scrolls to the top of the list if that is out of view', async () => {
  await open('', rexes(51))
  const [list] = all('.list') as [HTMLElement]
  const scroll = spyOn(list, 'scrollIntoView').mockImplementation(() => {})
  await click('[aria-label="Next page"]')
  expect(scroll).not.toHaveBeenCalled()
  spyOn(list, 'getBoundingClientRect').mockReturnValue({ top: -1 } as DOMRect)
  await click('[aria-label="Previous page"]')
  expect(scroll).toHaveBeenCalledTimes(1)
})

test('the overview has the eight largest categories and the number of all; a second click on its bar leaves the status', async () => {
  const inEach = Array.from({ length: 9 }, (_, at) => rex(at + 1, 'sold', at))
  await open('?status=sold', [...inEach, rex(10, 'sold', 8)])
  const categories = texts('.categories li')
  expect([categories[0], categories.length, categories[8]]).toEqual(['Category 82', 9, 'All 9 categories'])
  expect([...all('.bar a')].map(one => [one.className, one.tabIndex])).toEqual([['sold', -1]])
  await click('.bar .sold')
  expect(location.search).toBe('')
})

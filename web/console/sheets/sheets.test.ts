import { afterEach, beforeEach, expect, test } from 'bun:test'
import { type ComponentChild, h } from 'preact'
import { act } from 'preact/test-utils'
import type { Pet } from '../../../client/src/index.ts'
import {
  all,
  click,
  closePage,
  draw,
  openPage,
  pet,
  press,
  texts,
  until,
} from '../../../tests/support/console.ts'
import { viewOf } from '../list/view.ts'
import { PetIndex } from '../pets/pet-index.ts'
import { BrowserSettings } from '../session/session.ts'
import { AnimalSheet } from './animal-sheet.tsx'
import { CategoriesSheet } from './categories-sheet.tsx'
import { ExportSheet } from './export-sheet.tsx'
import { HelpSheet } from './help-sheet.tsx'

/** The animals that were opened. */
let opened: unknown[] = []
/** How often the store was asked for what is new. */
let refreshes = 0

beforeEach(() => {
  openPage()
  ;[opened, refreshes] = [[], 0]
})
afterEach(closePage)

interface State {
  readonly pets?: readonly Pet[]
  readonly news?: readonly Pet[]
  readonly found?: readonly Pet[]
  readonly isComplete?: boolean
  readonly isReading?: boolean
  readonly isBusy?: boolean
  readonly hasShortcuts?: boolean
  readonly names?: Readonly<Record<string, string>>
  readonly byCategory?: readonly unknown[]
}

/** Shows a sheet above a list, whose filter has found some of all animals. */
function show(sheet: ComponentChild, state: State): BrowserSettings {
  const { pets = [], news = [], found = pets, isComplete = true, isReading = false } = state
  const { isBusy = false, byCategory = [], hasShortcuts = true, names = {} } = state
  const readAt = isComplete ? 1 : undefined
  const refresh = () => void refreshes++
  const index = Object.assign(new PetIndex('pets_live_x'), { pets, news, readAt, isReading, refresh })
  const settings = new BrowserSettings()
  settings.set({ hasShortcuts, categoryNames: names })
  const isFiltered = found !== pets
  const listing = { found, stored: pets.length, isComplete, isBusy, isFiltered, byCategory }
  const open = (what: unknown) => void opened.push(what)
  const navigation = { view: viewOf('', '#help'), open, go: () => {}, close: () => {} }
  draw(sheet, { navigation, settings, session: { index }, listing })
  return settings
}

const areOff = (selector: string) => all(selector).map(one => one.getAttribute('aria-disabled'))

test.each<[state: State, link: string]>([
  [{ pets: [pet(1)] }, 'The only one in category 7'],
  [{ pets: [pet(1), pet(2)], names: { 7: 'Dogs' } }, 'All 2 in Dogs'],
  [{ pets: [pet(1), pet(2, 8)], news: [pet(3), pet(4, 8)] }, 'All 2 in category 7'],
  [{ found: [pet(1)], isComplete: false }, 'All in category 7'],
])('an animal leads to those of its category, with their number if it is known: case %#', (state, link) => {
  show(h(AnimalSheet, { id: '1' }), state)
  expect(texts('.sheet-body a')).toEqual([link])
  expect(texts('dd')).toEqual(['1', expect.stringContaining('7'), 'sold'])
  expect(refreshes).toBe(0)
})

test('an animal that only others have added is shown, and has no place in the list', () => {
  show(h(AnimalSheet, { id: '3' }), { pets: [pet(1)], news: [pet(3)] })
  expect([texts('h2'), texts('.sheet-foot')]).toEqual([['No. 3'], []])
})

test.each<[state: State, text: string]>([
  [{}, 'No animal has the ID 9.'],
  [{ isReading: true }, 'Reading'],
  [{ isComplete: false }, 'Reading'],
])('an animal is said to be missing only when all have been read: case %#', (state, text) => {
  show(h(AnimalSheet, { id: '9' }), state)
  expect([texts('h2'), texts('.sheet-body')]).toEqual([['Animal 9'], [expect.stringContaining(text)]])
  expect(refreshes).toBe(1)
})

test.each([
  ['1', '1 of 2', ['true', null]],
  ['2', '2 of 2', [null, 'true']],
])('the animal %s shows its place, and its buttons lead only to other animals: %s', (id, place, off) => {
  show(h(AnimalSheet, { id }), { pets: [pet(1), pet(2)] })
  expect([texts('.sheet-foot span'), areOff('.sheet-foot button')]).toEqual([[place], off])
})

const [BEFORE, AFTER] = [{ animal: '1' }, { animal: '3' }]

test('the keys for up and left, and for down and right, lead to the animal before and after, unless held with another', () => {
  show(h(AnimalSheet, { id: '2' }), { pets: [pet(1), pet(2), pet(3)] })
  for (const key of ['k', 'ArrowUp', 'ArrowLeft', 'j', 'ArrowDown', 'ArrowRight', 'x']) press(key, window)
  expect(opened).toEqual([BEFORE, BEFORE, BEFORE, AFTER, AFTER, AFTER])
  for (const held of ['ctrlKey', 'metaKey', 'altKey']) press('j', window, { [held]: true })
  expect(opened).toHaveLength(6)
})

test('without shortcuts, no key leads elsewhere', () => {
  show(h(AnimalSheet, { id: '2' }), { pets: [pet(1), pet(2), pet(3)], hasShortcuts: false })
  press('j', window)
  expect(opened).toEqual([])
})

test.each([
  [500, []],
  [1501, ['and 1,001 more']],
])(
  'of %d categories at most 500 have a field for their name: the number of the others is %j',
  (count, more) => {
    const byCategory = Array.from({ length: count }, (_, category) => [String(category), [1]])
    show(h(CategoriesSheet, null), { byCategory, names: { 3: 'Newts' } })
    const fields = all('.category-list input') as HTMLInputElement[]
    expect([fields.length, fields[3]?.value, fields[3]?.maxLength]).toEqual([500, 'Newts', 60])
    expect(texts('.category-list ~ p')).toEqual(more)
  },
)

test.each<[state: State, choice: string[], note: string]>([
  [{ pets: [pet(1)] }, [], '1 animal, as CSV.'],
  [{ pets: [pet(1), pet(2)] }, [], 'All 2 animals, oldest first, as CSV.'],
  [{ pets: [pet(1), pet(2)], found: [pet(2)] }, ['these 1', 'all 2'], 'An apostrophe'],
  [{ pets: [pet(1), pet(2)], found: [] }, [], 'All 2 animals, oldest first, as CSV.'],
])('an export offers what is seen, if it is not all or nothing: %#', (state, choice, note) => {
  show(h(ExportSheet, null), state)
  expect(texts('label').map(text => text.trim())).toEqual(choice)
  expect(texts('.sheet-body p')[0]).toStartWith(note)
})

test('an export of all saves all, even if a filter finds none', async () => {
  show(h(ExportSheet, null), { pets: [pet(1), pet(2)], found: [] })
  await click('button', 'Export')
  await until(() => texts('.live')[0] !== '')
  expect(texts('.live')).toEqual(['2 animals exported.'])
})

test.each([
  [{ isComplete: false }, 'true'],
  [{ isBusy: true }, 'true'],
  [{}, null],
])('an export waits until the list is read and sorted: with %j, it is off: %j', (state, off) => {
  show(h(ExportSheet, null), state)
  expect(areOff('.sheet-foot button')).toEqual([off])
})

test('the help says whether shortcuts are on, and turns them off', () => {
  const settings = show(h(HelpSheet, null), {})
  const box = document.querySelector<HTMLInputElement>('input[type=checkbox]')
  expect([box?.checked, box?.getAttribute('aria-describedby')]).toEqual([true, 'shortcuts-about'])
  act(() => box?.click())
  expect([box?.checked, settings.state.value.hasShortcuts]).toEqual([false, false])
})

import { afterAll, beforeAll, expect, mock, test } from 'bun:test'
import { Window } from 'happy-dom'
import { BASE, HAS_ADDRESS } from '../../document.ts'
import { kept } from '../../storage.ts'
import { referenceDocument } from '../render.ts'
import { all, one } from './elements.ts'

const FILE = { name: 'a' }
const PAGE = referenceDocument({ script: FILE, style: FILE, icon: FILE }, false)
const ADDRESS = 'https://pets.example/v1'
const window = new Window({ url: 'http://127.0.0.1:1/below/docs' })
const { document, Event } = window
/** Where each section begins; a document alone has no places. */
let tops: number[] = []
const scrollBy = mock()
const { addEventListener } = globalThis
const GLOBALS = {
  document,
  getComputedStyle: () => ({ scrollPaddingTop: '80px' }),
  scrollBy,
}
const placeAt = (element: HTMLElement, top: () => number) =>
  Object.assign(element, { getBoundingClientRect: () => ({ top: top() }) })

beforeAll(async () => {
  document.body.innerHTML = PAGE.replaceAll(BASE, ADDRESS).replace(HAS_ADDRESS, ' data-has-address')
  Object.assign(globalThis, GLOBALS, { addEventListener: window.addEventListener.bind(window) })
  for (const [at, section] of all('.entry').entries()) placeAt(section, () => tops[at] ?? 1000)
  await import('./reference.ts')
})
afterAll(() => {
  kept.language.set(undefined)
  for (const name of Object.keys(GLOBALS)) Reflect.deleteProperty(globalThis, name)
  Object.assign(globalThis, { addEventListener })
})

test('a configured address stays as it is, and without a clipboard nothing offers to copy', () => {
  for (const place of all('[data-address]')) expect(place.textContent).toBe(ADDRESS)
  for (const button of all('.copy')) expect(button.hidden).toBe(true)
})

test('"Copied" is not said before the browser has written it', () => {
  const writeText = mock(() => new Promise(() => {}))
  Object.defineProperty(navigator, 'clipboard', { value: { writeText }, configurable: true })
  const [button] = all('.copy') as [HTMLElement]
  button.click()
  Reflect.deleteProperty(navigator, 'clipboard')
  expect(writeText).toHaveBeenCalledTimes(1)
  expect([one('span', button), one('#copy-state')].map(({ textContent }) => textContent)).not.toContain(
    'Copied',
  )
})

test('a chosen language is that of all samples, is marked as chosen, and the pressed button stays in its place', () => {
  const isChosen = ({ dataset }: HTMLElement) => dataset.choose === 'go'
  const button = all('[data-choose]').findLast(isChosen) as HTMLElement
  const places = [500, 120]
  placeAt(button, () => places.shift() ?? 0)
  button.click()
  for (const each of all('[data-choose]')) expect(each.ariaPressed).toBe(String(isChosen(each)))
  for (const sample of all('[data-language]')) expect(sample.hidden).toBe(sample.dataset.language !== 'go')
  expect(scrollBy.mock.calls).toEqual([[0, -380]])
})

test('the contents mark the last section that begins at or above the place that a link leads to, and scroll to it', () => {
  const strip = Object.assign(one('.contents-lists'), { scrollTo: mock() })
  Object.defineProperty(strip, 'clientWidth', { value: 300 })
  for (const link of all('a', strip))
    Object.defineProperties(link, { offsetLeft: { value: 700 }, offsetWidth: { value: 100 } })
  const marked = () =>
    all<HTMLAnchorElement>('a', strip).flatMap(link =>
      link.ariaCurrent ? [link.ariaCurrent, link.hash] : [],
    )
  const marks: unknown[] = [marked()]
  for (const [event, ...places] of [
    ['scroll', -500, 81, 82],
    ['scroll', -510, 71, 82],
    ['resize', -900, -300, 60],
    ['scroll', 100, 700],
  ] as const) {
    tops = places
    window.dispatchEvent(new Event(event))
    marks.push(marked())
  }
  const [start, list, create] = ['#start', '#listPets', '#createPet'].map(hash => ['location', hash])
  expect(marks).toEqual([start, list, list, create, start])
  expect(strip.scrollTo.mock.calls).toEqual(Array(3).fill([{ left: 600 }]))
})

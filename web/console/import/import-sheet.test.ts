import { afterEach, beforeEach, expect, setSystemTime, spyOn, test } from 'bun:test'
import { h } from 'preact'
import { act } from 'preact/test-utils'
import { all, click, closePage, draw, openPage, texts, until } from '../../../tests/support/console.ts'
import { viewOf } from '../list/view.ts'
import { Observed } from '../parts/hooks.ts'
import { PetIndex } from '../pets/pet-index.ts'
import { BrowserSettings } from '../session/session.ts'
import { importFile } from './import-file.ts'
import { ImportRun } from './import-run.ts'
import { ImportSheet } from './import-sheet.tsx'

const API_KEY = 'pets_live_0123456789abcdef'
/** How often the store was read. */
let reads = 0
/** The names of the animals that were sent. */
let sent: string[] = []
/** Where the sheet has led to. */
let views: unknown[] = []
const go = (view: unknown) => void views.push(view)
/** Responds to the animal with this name. */
let answer: (name: string) => Promise<Response> | Response

beforeEach(() => {
  openPage()
  ;[reads, sent, views] = [0, [], []]
  answer = name => Response.json({ id: sent.length, name, categoryId: 7, status: 'sold' }, { status: 201 })
  const fetch = async (_url: unknown, init?: RequestInit) => {
    const { name } = JSON.parse(String(init?.body))
    sent.push(name)
    return answer(name)
  }
  Object.assign(globalThis, { fetch })
})
afterEach(async () => {
  setSystemTime()
  await closePage()
})

/** The open sheet with a chosen file. The store has No. 1, and No. 2 of someone else, in category 7 and sold. */
function open(text: string): Observed<ImportRun | undefined> {
  const pets = [{ id: 1n, name: 'No. 1', categoryId: 7n, status: 'sold' }] as const
  const news = pets.map(pet => ({ ...pet, id: 2n, name: 'No. 2' }))
  const refresh = async () => void reads++
  const index = Object.assign(new PetIndex(API_KEY), { pets, news, readAt: 1, refresh })
  const bytes = new TextEncoder().encode(text)
  const file = importFile({ bytes, name: 'a.csv', chosenAt: 0, answers: new Map(), asked: new Set() }, {})
  const importing = new Observed<ImportRun | undefined>(new ImportRun(file, index, API_KEY))
  const session = { apiKey: API_KEY, index, importing, leave: () => {} }
  draw(h(ImportSheet, null), { navigation: { view: { sheet: 'import' }, go }, session })
  return importing
}

const chosenTile = () => texts('.tile[aria-pressed=true]')
/** Waits until the import is over. */
async function ended(importing: Observed<ImportRun | undefined>, start: () => unknown): Promise<void> {
  start()
  await until(() => importing.value?.endedAt)
}
const HEAD = 'name,category,status\n'

test.each([
  ['New,7,sold\n', 'To add', '1 line to add', 'cannot be undone'],
  ['New,7,sold\nBad,x,lost\n', 'With problems', '1 line to correct', 'Correct them in the file'],
  ['No. 1,7,sold\n', 'Already there', '1 line already there', 'The store has the same animals'],
  ['No. 2,7,sold\n', 'Already there', '1 line already there', 'The store has the same animals'],
  ['No. 1,7,sold\nNew,7,sold\n', 'To add', '1 line to add', 'cannot be undone'],
])('of the lines %j, those that need attention are shown first: %s', (lines, tile, title, about) => {
  open(HEAD + lines)
  expect(chosenTile()).toEqual([expect.stringContaining(tile)])
  expect(texts('section h3, section > p')).toEqual([title, expect.stringContaining(about)])
  expect(texts('[role=status]')).toEqual([''])
  expect(texts('.sheet-foot button')[0]).toBe('Choose another file')
})

test('lines with an ID are shown first if they are all that is left out', () => {
  open('id,name,category\n5,New,7\n')
  expect(chosenTile()).toEqual([' With an ID1left out'])
  expect(texts('section h3, section > p')).toEqual([
    '1 line with an ID',
    'The store has no animal with the same name, category and status.',
  ])
})

test('a chosen group of lines stays chosen until the next stage, which is announced', async () => {
  const importing = open(`${HEAD}No. 1,7,sold\nNew,7,sold\nBad,x,sold\n`)
  expect([texts('.names p'), texts('.names ~ .hint')]).toEqual([['in 1 line'], []])
  click('button', 'Already there')
  expect(chosenTile()).toEqual([' Already there1left out'])
  expect(texts('.lines th')).toEqual(['Line', 'In the file', 'Read as'])
  await ended(importing, () => click('button', 'Add 1 animal'))
  expect(chosenTile()).toEqual([' Not added1with a problem'])
  expect(texts('.lines th')).toEqual(['Line', 'In the file', 'What to change'])
  expect(texts('[role=status]')).toEqual(['1 added, 1 refused'])
  expect(texts('.sheet-foot button')).toEqual(['Choose the corrected file', 'Show it in the list'])
  // A category without a number gets no name.
  expect(new BrowserSettings().state.value.categoryNames).toEqual({})
  click('button', 'Added')
  expect(texts('section > p')).toEqual([''])
  click('button', 'Show it in the list')
  expect(views).toEqual([viewOf('', '')])
})

test('each group that has lines has a part of the bar, in proportion to its lines', () => {
  open(`${HEAD}No. 1,7,sold\nA,7,sold\nB,7,sold\n`)
  const parts = all('.bar i').map(one => [one.className, one.style.flexGrow])
  expect(parts).toEqual([
    ['rest', '2'],
    ['sold', '1'],
  ])
  const tiles = all('.tile').map(one => one.className.trim())
  expect(tiles).toEqual(['tile available', 'tile sold', 'tile bad dim'])
  expect(texts('.lines td:last-child')).toEqual(['A7sold', 'B7sold'])
})

test.each([
  [50, []],
  [51, ['The first 50 are shown.']],
])('of %d lines, at most 50 are shown, with the hint %j', (count, hint) => {
  open(HEAD + 'New,7,sold\n'.repeat(count))
  expect([all('.lines tbody tr').length, texts('section > .hint')]).toEqual([50, hint])
})

test('a line is shown up to its 200th character', () => {
  const name = 'x'.repeat(193)
  open(`${HEAD}${name},7,sold\ny${name},7,sold\n`)
  expect(texts('.lines code')).toEqual([`${name},7,sold`, `y${name},7,sol…`])
})

test('up to eight unread columns and eight unknown category names are listed, and the rest are counted', () => {
  const rest = ','.repeat(10)
  const kinds = Array.from({ length: 9 }, (_, n) => `Rex,Kind ${n},${rest}\n`).join('')
  const head = `name,category,status,${Array.from({ length: 10 }, (_, n) => `c${n}`)}\n`
  open(`${head}${kinds}Bo,KIND 1,${rest}\nOld,7,sold${rest}\nNew,7,${rest}\n`)
  expect(texts('.note')).toEqual([
    'Not read: c0, c1, c2, c3, c4, c5, c6, c7 and 2 more. An import reads the columns name, categoryId and status.',
  ])
  expect(texts('.names label')).toEqual(Array.from({ length: 8 }, (_, n) => `Number of “Kind ${n}”`))
  expect(texts('.names p').slice(0, 3)).toEqual(['in 1 line', 'in 2 lines', 'in 1 line'])
  expect(texts('.names ~ .hint')).toEqual(['The lines of 1 other name are left out.'])
})

test('a file without a status column that has nothing to add is not said to be read as available', () => {
  open('name,category,x\n,7,\n')
  expect(texts('.note')).toEqual(['Not read: x. An import reads the columns name, categoryId and status.'])
})

test('while animals are added, no line can be saved as a file; the store is read when the import ends and when the sheet closes', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const respond = answer
  answer = name => promise.then(() => respond(name))
  const importing = open(`${HEAD}New,7,sold\nBad,x,sold\n`)
  const link = document.createElement('a')
  const save = spyOn(link, 'click').mockImplementation(() => {})
  using _create = spyOn(document, 'createElement').mockReturnValueOnce(link)
  click('button', 'Save as a file')
  expect([link.download, save.mock.calls.length]).toEqual(['to-correct-a.csv', 1])
  await ended(importing, () => {
    click('button', 'Add 1 animal')
    expect([...texts('[role=status]'), ...texts('.note')]).toEqual(['Adding animals'])
    expect(texts('section .row button')).toEqual([])
    expect(reads).toBe(0)
    resolve()
  })
  expect(reads).toBe(1)
  draw(null)
  expect(reads).toBe(2)
})

test('after an import the file to correct has each line with a problem, also if only the service refused it', async () => {
  const usual = answer
  const refusal = { code: 'invalid_body', message: 'Refused.', status: 400 }
  answer = name => (name === 'Odd' ? Response.json(refusal, { status: 400 }) : usual(name))
  const importing = open(`${HEAD}New,7,sold\nOdd,7,sold\nBad,x,sold\n`)
  await ended(importing, () => click('button', 'Add 2 animals'))
  const link = document.createElement('a')
  using _click = spyOn(link, 'click').mockImplementation(() => {})
  using _create = spyOn(document, 'createElement').mockReturnValueOnce(link)
  using save = spyOn(URL, 'createObjectURL')
  click('button', 'Save as a file')
  const text = await new Response(save.mock.calls[0]?.[0] as Blob).text()
  expect(text.match(/\w+(?=,\w,sold)/g)).toEqual(['Odd', 'Bad'])
})

test.each([
  [22, 'goes on', 'running'],
  [23, 'begins anew', 'preview'],
] as const)(
  'resumed after %d hours, when the service knows what was sent for 23, an import %s',
  async (hours, _, stage) => {
    const importing = open(`${HEAD}New,7,sold\n`)
    answer = () =>
      Response.json({ code: 'invalid_api_key', message: 'Revoked.', status: 401 }, { status: 401 })
    await ended(importing, () => click('button', 'Add 1 animal'))
    expect(texts('.sheet-foot button')).toEqual(['Choose another file', 'Resume'])
    const first = importing.value
    setSystemTime((first?.startedAt ?? 0) + hours * 60 * 60 * 1000)
    click('button', 'Resume')
    expect([importing.value?.stage, importing.value === first]).toEqual([stage, stage === 'running'])
    await until(() => importing.value?.stage !== 'running')
  },
)

test('a file that is chosen again is read again, and what was asked for the one before is not', async () => {
  const importing = open(`${HEAD}No. 1,7,sold\n`)
  await click('label', 'Add too')
  expect(importing.value?.toGo).toBe(1)
  const [input] = all('input[type=file]') as [HTMLInputElement]
  const values: unknown[] = []
  Object.defineProperties(input, {
    files: { value: [new File([`${HEAD}No. 1,7,sold\n`], 'a.csv')] },
    value: { set: value => values.push(value) },
  })
  const before = importing.value
  await act(() => void input.dispatchEvent(new Event('change', { bubbles: true })))
  await until(() => importing.value !== before)
  // Otherwise a browser would send no event for the same file.
  expect([importing.value?.toGo, values]).toEqual([0, ['']])
})

/** Files that cannot be opened. */
const locked = (name: string) => ({ name, slice: () => ({ arrayBuffer: () => Promise.reject(new Error()) }) })

test.each([
  [['b.csv'], 'b.csv cannot be read. Close it in other programs, then choose it again.'],
  [['b.csv', 'c.csv'], 'Choose one file at a time.'],
])(
  'the problem with the dropped files %j is shown until the next step, and the earlier file stays',
  async (names, problem) => {
    open(`${HEAD}New,7,sold\n`)
    const dataTransfer = { files: names.map(locked) }
    dispatchEvent(Object.assign(new Event('drop'), { dataTransfer }))
    await until(() => texts('[role=alert]').length > 0)
    const before = ' Below is still the file that you chose before, a.csv.'
    expect(texts('[role=alert]')).toEqual([problem + before])
    click('button', 'Choose another file')
    expect(texts('[role=alert]')).toEqual([])
  },
)

import { afterEach, beforeEach, expect, test } from 'bun:test'
import { h } from 'preact'
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
import { kept } from '../../storage.ts'
import { PetIndex } from '../pets/pet-index.ts'
import { BrowserSettings } from '../session/session.ts'
import { AddSheet } from './add-sheet.tsx'
import { Additions } from './additions.ts'
import { type Attempt, newAttempt, type Outcome } from './attempt.ts'

const API_KEY = 'pets_live_0123456789abcdef'
/** The names of the animals that were sent. */
let sent: string[] = []

beforeEach(() => {
  openPage()
  sent = []
  const fetch = async (_url: unknown, init?: RequestInit) => {
    const pet = JSON.parse(String(init?.body))
    sent.push(pet.name)
    return Response.json({ ...pet, id: sent.length }, { status: 201 })
  }
  Object.assign(globalThis, { fetch })
})
afterEach(closePage)

interface Before {
  readonly pets?: readonly Pet[]
  readonly names?: Readonly<Record<string, string>>
  readonly attempts?: readonly Attempt[]
  readonly lastCategory?: string
  readonly draft?: Partial<Additions['draft']>
}

/** The open form. */
function open({ pets = [], names = {}, attempts = [], lastCategory = '', draft = {} }: Before): Additions {
  kept.additions.setJson({ lastCategory })
  const additions = Object.assign(new Additions(), { attempts })
  additions.edit(draft)
  const settings = new BrowserSettings()
  settings.set({ categoryNames: names })
  const index = Object.assign(new PetIndex(API_KEY), { pets })
  const session = { apiKey: API_KEY, index, additions, leave: () => {} }
  draw(h(AddSheet, null), { navigation: { close: () => {} }, settings, session })
  return additions
}

const button = (text: string) => all('button').find(one => one.textContent.includes(text))
/** Waits until no animal is on its way. */
const settled = (additions: Additions) =>
  until(() => additions.attempts.every(({ outcome }) => outcome.kind !== 'pending'))
const isOff = (text: string) => button(text)?.getAttribute('aria-disabled') === 'true'
const attempt = (name: string, outcome: Outcome): Attempt => ({
  ...newAttempt({ name, category: '7', status: 'available' }, API_KEY),
  outcome,
})
const refused = (code: string): Attempt => attempt(code, { kind: 'refused', failure: { code, message: '' } })

test.each([
  [['rate_limited', 'unavailable'], 'Try all again', ['rate_limited', 'unavailable']],
  [['rate_limited', 'invalid_body', 'unavailable'], 'Try 2 again', ['rate_limited', 'unavailable']],
  [['rate_limited', 'invalid_body'], '', []],
])('of animals refused as %j, the button for several offers: %j', async (codes, label, again) => {
  const additions = open({ attempts: codes.map(refused) })
  expect(texts('.tray > .row > button').join()).toBe(label)
  if (label) click('button', label)
  await settled(additions)
  expect(sent).toEqual(again)
})

test('the button of a line tries only its own animal again', async () => {
  const additions = open({ attempts: ['rate_limited', 'unavailable'].map(refused) })
  click('button', 'Try again: unavailable')
  await settled(additions)
  expect(sent).toEqual(['unavailable'])
})

test('of many additions, six are listed; "Show the rest" lists the others', () => {
  open({ attempts: Array.from({ length: 8 }, (_, n) => attempt(`No. ${n}`, { kind: 'pending' })) })
  const state = () => [
    texts('.tray li').length,
    button('Show')?.textContent,
    button('Show')?.getAttribute('aria-expanded'),
  ]
  expect(state()).toEqual([6, 'Show the rest: 2 on the way', 'false'])
  click('button', 'Show')
  expect(state()).toEqual([8, 'Show fewer', 'true'])
  click('button', 'Show')
  expect(state()).toEqual([6, 'Show the rest: 2 on the way', 'false'])
})

test('each line shows its outcome by a colour and a sign, and its buttons name the animal', () => {
  const wrong = attempt('Wrong', { kind: 'refused', failure: { code: 'invalid_body', message: 'No.' } })
  const added = attempt('Added', { kind: 'added', pet: pet(1, 7) })
  const [lost, onItsWay] = [attempt('Lost', { kind: 'unknown' }), attempt('Sent', { kind: 'pending' })]
  open({ attempts: [lost, wrong, onItsWay, added], draft: { name: 'Half' } })
  expect(all('.tray li').map(one => one.className)).toEqual(['pending', 'bad', 'pending', 'available'])
  expect(new Set(all('.tray li > svg path').map(one => one.getAttribute('d'))).size).toBe(4)
  const said = all('.tray li button').map(one => one.getAttribute('aria-label') ?? one.textContent)
  expect(said).toEqual(['Try again: Lost', 'Dismiss: Lost', 'Correct: Wrong', 'Dismiss: Wrong'])
  const why = button('Correct')?.getAttribute('aria-describedby') ?? ''
  expect(document.getElementById(why)?.textContent).toContain('Finish or clear the form first.')
  expect(button('Try again')?.hasAttribute('aria-describedby')).toBe(false)
})

const NONE = 'A number, such as 7, or a name you gave a category.'
const OTHERWISE = '. Or type another number or name.'
test.each<[category: string, hint: string, before: Before]>([
  ['7', NONE, {}],
  ['7', `Dogs${OTHERWISE}`, { names: { 7: 'Dogs' } }],
  [' dogs ', `Category 7${OTHERWISE}`, { names: { 7: 'Dogs' } }],
  ['dogs', `Category 7, 1 animal${OTHERWISE}`, { names: { 7: 'Dogs' }, pets: [pet(1, 7)] }],
  ['7', `Dogs, 2 animals${OTHERWISE}`, { names: { 7: 'Dogs' }, pets: [pet(1, 7), pet(2, 7)] }],
  ['8', NONE, { pets: [pet(1, 7)] }],
  // What every object has is not the name of a category.
  ['constructor', NONE, {}],
])('the hint for the category %j is: %s', (category, hint, before) => {
  open({ ...before, draft: { category } })
  expect(texts('#category-about')).toEqual([hint])
})

test('the last category and then the largest ones are offered by name, as buttons that do not take the focus', () => {
  const pets = [1, 2, 3, 4, 5, 12, 12].map((category, at) => pet(at, category))
  open({ pets, names: { 12: 'Newts' }, lastCategory: '9' })
  expect(texts('.pick')).toEqual(['9', 'Newts', '1', '2', '3'])
  expect(all('.pick').map(one => [one.getAttribute('aria-pressed'), one.tabIndex])).toEqual([
    ['true', -1],
    ...Array.from({ length: 4 }, () => ['false', -1]),
  ])
  expect(all('.pick')[1]?.title).toBe('Category 12')
  const mouse = new MouseEvent('mousedown', { bubbles: true, cancelable: true })
  all('.pick')[0]?.dispatchEvent(mouse)
  expect(mouse.defaultPrevented).toBe(true)
})

test('while a category is typed, all named ones and the largest others are suggested, each with its name', () => {
  const pets = Array.from({ length: 60 }, (_, at) => pet(at, at + 100))
  open({ pets, names: { 7: 'Dogs' } })
  expect(texts('.pick')).toEqual(['100', '101', '102', '103', '104'])
  const options = [...document.querySelectorAll('datalist option')].map(one => [
    one.getAttribute('value'),
    one.getAttribute('label'),
  ])
  expect(options.slice(0, 2)).toEqual([
    ['7', 'Dogs'],
    ['100', '100'],
  ])
  expect(options).toHaveLength(51)
  const field = all('#category')[0]
  const attributes = ['list', 'autocapitalize'].map(name => field?.getAttribute(name))
  expect(attributes).toEqual(['known-categories', 'off'])
})

test('Enter in the category sends the animal, but after an arrow key it takes a suggestion', async () => {
  const additions = open({ draft: { name: 'Rex', category: '7' } })
  const [field] = all('#category') as [HTMLElement]
  const pressed = ['ArrowDown', 'Enter', 'Enter'].map(key => [press(key, field), additions.attempts.length])
  expect(pressed).toEqual([
    [false, 0],
    [false, 0],
    [true, 1],
  ])
  await settled(additions)
})

test.each([
  ['Rex', '7', 'An animal with this name and category is among your additions below.'],
  ['Rex', '8', ''],
  ['Rexy', '7', ''],
  ['No. 3', '40', 'There is already an animal with this name and category: ID 3, sold.'],
])('for %s in category %s, the form warns of an equal animal: %j', (name, category, hint) => {
  open({ pets: [pet(3, 40)], attempts: [attempt('Rex', { kind: 'pending' })], draft: { name, category } })
  expect(texts('form > .live')[0]).toBe(hint)
})

test('an empty form has nothing to clear, and forgets its problems and its status when it is closed', async () => {
  const additions = open({ lastCategory: '7' })
  expect([isOff('Clear'), document.querySelector('form')?.noValidate]).toEqual([true, true])
  click('button', 'Add and close')
  expect(texts('#name-about')).toEqual(['Enter a name.'])
  act(() => additions.edit({ status: 'sold' }))
  draw(null)
  expect([additions.problems, additions.draft.status]).toEqual([{}, 'available'])
  open({ lastCategory: '7', draft: { category: ' 7 ' } })
  expect(isOff('Clear')).toBe(true)
  open({ lastCategory: '7', draft: { category: '8' } })
  expect(isOff('Clear')).toBe(false)
})

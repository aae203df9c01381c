import { afterEach, beforeEach, expect, test } from 'bun:test'
import { h } from 'preact'
import { click, closePage, draw, openPage, until } from '../../../tests/support/console.ts'
import { SignIn } from './sign-in.tsx'

let asked: string[] = []
let accepted: string[] = []
let answer = Promise.withResolvers<Response>()

beforeEach(() => {
  openPage()
  ;[asked, accepted, answer] = [[], [], Promise.withResolvers<Response>()]
  const fetch = (url: string) => {
    asked.push(url)
    return answer.promise
  }
  Object.assign(globalThis, { fetch })
})
afterEach(closePage)

/** The form of a store in this environment. */
function open(environment: string): HTMLElement {
  document.body.dataset.environment = environment
  const onSignedIn = (key: string) => void accepted.push(key)
  draw(h(SignIn, { refusal: undefined, onSignedIn }))
  return document.body
}

test.each([
  ['production', 'pets_live_…'],
  ['staging', 'pets_test_…'],
])('in %s, the form names the store, and how its keys begin', (environment, placeholder) => {
  const form = open(environment)
  expect(form.textContent).toContain(`This is the ${environment} store.`)
  const input = form.querySelector('input')
  // So that a password manager offers the key.
  expect([input?.placeholder, input?.getAttribute('autocomplete')]).toEqual([placeholder, 'current-password'])
})

test('a key is tried once, with a list of one animal, however often the form is submitted', async () => {
  const form = open('production')
  const [input, button] = [form.querySelector('input'), form.querySelector('[type=submit]')]
  if (input) input.value = 'key'
  await click('[type=submit]')
  await click('[type=submit]')
  expect([button?.textContent, button?.getAttribute('aria-disabled')]).toEqual(['Signing in…', 'true'])
  answer.resolve(Response.json([]))
  await until(() => accepted.length > 0)
  expect([asked, accepted]).toEqual([['http://store/v1/pets?limit=1'], ['key']])
})

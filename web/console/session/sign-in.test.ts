import { afterEach, expect, test } from 'bun:test'
import { Window } from 'happy-dom'
import { h, render } from 'preact'
import { act } from 'preact/test-utils'
import { SignIn } from './sign-in.tsx'

const { fetch } = globalThis
let asked: string[] = []
let accepted: string[] = []
let answer = Promise.withResolvers<Response>()

/** The form of a store in this environment. */
async function open(environment: string): Promise<HTMLElement> {
  const { document } = new Window({ url: 'http://store/' })
  document.body.dataset.environment = environment
  ;[asked, accepted, answer] = [[], [], Promise.withResolvers<Response>()]
  const respond = (url: string) => {
    asked.push(url)
    return answer.promise
  }
  Object.assign(globalThis, { document, fetch: respond })
  const onSignedIn = (key: string) => void accepted.push(key)
  await act(() => render(h(SignIn, { refusal: undefined, onSignedIn }), document.body as never))
  return document.body as never
}
afterEach(async () => {
  await act(() => render(null, document.body))
  Object.assign(globalThis, { fetch })
  Reflect.deleteProperty(globalThis, 'document')
})

const submit = (form: HTMLElement) =>
  act(() => form.querySelector<HTMLElement>('[type=submit]')?.click() ?? undefined)

test.each([
  ['production', 'pets_live_…'],
  ['staging', 'pets_test_…'],
])('in %s, the form names the store, and how its keys begin', async (environment, placeholder) => {
  const form = await open(environment)
  expect(form.textContent).toContain(`This is the ${environment} store.`)
  const input = form.querySelector('input')
  // So that a password manager offers the key.
  expect([input?.placeholder, input?.getAttribute('autocomplete')]).toEqual([placeholder, 'current-password'])
})

test('a key is tried once, with a list of one animal, however often the form is submitted', async () => {
  const form = await open('production')
  const [input, button] = [form.querySelector('input'), form.querySelector('[type=submit]')]
  if (input) input.value = 'key'
  await submit(form)
  await submit(form)
  expect([button?.textContent, button?.getAttribute('aria-disabled')]).toEqual(['Signing in…', 'true'])
  answer.resolve(Response.json([]))
  while (accepted.length === 0) await act(() => Bun.sleep(1))
  expect([asked, accepted]).toEqual([['http://store/v1/pets?limit=1'], ['key']])
})

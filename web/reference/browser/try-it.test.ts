import { afterAll, beforeAll, beforeEach, expect, spyOn, test } from 'bun:test'
import { Window } from 'happy-dom'
import { kept } from '../../storage.ts'
import { referenceDocument } from '../render.ts'
import { all, one } from './elements.ts'
import { offerTrying } from './try-it.ts'

const FILE = { name: 'a' }
const { document, Event, HTMLElement } = new Window({ url: 'http://127.0.0.1:1/below/docs' })
document.body.innerHTML = referenceDocument({ script: FILE, style: FILE, icon: FILE }, false)
const FORMS = [...document.querySelectorAll('.try')].map(place => place.outerHTML).join('')
const { fetch } = globalThis
let sent: [url: string, init: RequestInit][] = []
let respond = Promise.withResolvers<Response>()

beforeAll(() => {
  const ask = (...request: [string, RequestInit]) => {
    sent.push(request)
    return respond.promise
  }
  Object.assign(globalThis, { document, HTMLElement, fetch: ask })
})
beforeEach(() => {
  sent = []
  respond = Promise.withResolvers()
  document.body.innerHTML = FORMS
  kept.apiKey.set('pets_live_1')
  offerTrying()
})
afterAll(() => {
  kept.apiKey.set(undefined)
  for (const name of ['document', 'HTMLElement']) Reflect.deleteProperty(globalThis, name)
  Object.assign(globalThis, { fetch })
})

/** Sends the form of an operation; returns whether the page does that itself, without the browser. */
function submit(operation: string): boolean {
  const event = new Event('submit', { cancelable: true })
  one(`[data-operation=${operation}] form`).dispatchEvent(event as never)
  return event.defaultPrevented
}
const stateOf = (operation: string) => one(`[data-operation=${operation}] .try-state`).textContent
async function settled(operation: string): Promise<void> {
  while (stateOf(operation) === 'Sending…') await Bun.sleep(0)
}
const isShown = (place: HTMLElement) => !place.closest('[hidden]')

test('while a request is under way, the page says so, shows it without an older response, and sends no other', async () => {
  const place = one('[data-operation=listPets]')
  const shownParts = () => all('.try-response > :not([data-topic=tried-request])', place).map(isShown)
  const answer = async () => {
    respond.resolve(new Response('{}'))
    await settled('listPets')
    respond = Promise.withResolvers()
  }
  for (const times of [1, 2]) {
    expect(submit('listPets')).toBe(true)
    submit('listPets')
    expect(sent).toHaveLength(times)
    expect([stateOf('listPets'), one('form', place).ariaBusy]).toEqual(['Sending…', 'true'])
    expect(isShown(one('[data-topic=tried-request]', place))).toBe(true)
    expect(shownParts()).toEqual([false, false])
    await answer()
    expect([stateOf('listPets'), one('form', place).ariaBusy]).toEqual(['Response 200.', 'false'])
    expect(shownParts()).toEqual([true, true])
  }
})

test('the response comes from the service, never from the cache of the browser, and as JSON', () => {
  submit('listPets')
  const headers = { Authorization: 'Bearer pets_live_1', Accept: 'application/json' }
  expect(sent).toEqual([['http://127.0.0.1:1/below/v1/pets', { method: 'GET', headers, cache: 'no-store' }]])
})

test.each([201, 304, 499, 599])(
  'a response of %d has the colour of its class, its time and its headers',
  async status => {
    const place = one('[data-operation=getPet]')
    let now = 1000
    using _clock = spyOn(performance, 'now').mockImplementation(() => now)
    submit('getPet')
    now = 1250.4
    respond.resolve(new Response(null, { status, headers: { ETag: '"1"', 'X-Request-Id': 'r1' } }))
    await settled('getPet')
    expect(one('.code', place).textContent).toBe(String(status))
    expect(one('.code', place).className).toBe(`code code-${String(status)[0]}`)
    expect(one('.wrapped', place).textContent).toBe('etag: "1"\nx-request-id: r1')
    expect(one('.try-time', place).textContent).toBe('250')
  },
)

test.each(['', 'pets live', 'é'])('the key %j is not sent: the form asks for another', typed => {
  const key = one<HTMLInputElement>('[data-operation=getPet] [name=key]')
  key.value = typed
  one<HTMLInputElement>('[data-operation=getPet] [name=petId]').value = ''
  submit('getPet')
  expect([sent, stateOf('getPet')]).toEqual([[], 'Enter an API key first.'])
  expect(key.matches(':focus')).toBe(true)
})

test('a key that is not accepted is forgotten by every form, and the form that sent it asks for another', async () => {
  submit('getPet')
  respond.resolve(new Response(null, { status: 401 }))
  await settled('getPet')
  expect(stateOf('getPet')).toStartWith('Response 401. This key is not accepted')
  expect(kept.apiKey.get()).toBeUndefined()
  expect(all<HTMLInputElement>('[name=key]').map(({ value }) => value)).toEqual(['', '', ''])
  expect(one('[data-operation=getPet] [name=key]').matches(':focus')).toBe(true)
})

test('a request that fails leaves the key as it was; a change of the key leaves the animal the same', async () => {
  const repeats = () => sent.map(([, { headers }]) => new Headers(headers).get('idempotency-key'))
  const form = one('[data-operation=createPet] form')
  const change = (name: string) =>
    one(`[name=${name}]`, form).dispatchEvent(new Event('input', { bubbles: true }) as never)
  for (const name of ['key', 'key', 'name']) {
    submit('createPet')
    respond.reject(new TypeError('Failed to fetch'))
    await settled('createPet')
    change(name)
  }
  submit('createPet')
  const [first, second, third, other] = repeats()
  expect([first, second, third]).toEqual([third, third, third])
  expect(other).not.toBe(first)
  expect(kept.apiKey.get()).toBe('pets_live_1')
})

test.each([
  ['0', '0'],
  ['-12', '-12'],
  ['007', '"007"'],
  ['1.5', '"1.5"'],
  ['1e3', '"1e3"'],
])('of a number, %s is sent as %s', (typed, expected) => {
  one<HTMLInputElement>('[data-operation=createPet] [name=categoryId]').value = typed
  submit('createPet')
  expect(sent[0]?.[1].body).toBe(`{"name":"Rex","categoryId":${expected}}`)
})

test('what is typed for a path stays one part of it', () => {
  one<HTMLInputElement>('[data-operation=getPet] [name=petId]').value = '1/a?b'
  submit('getPet')
  expect(sent[0]?.[0]).toEndWith('/below/v1/pets/1%2Fa%3Fb')
})

test('a status that is chosen is sent, in a query or in a body', () => {
  for (const operation of ['listPets', 'createPet']) {
    one<HTMLSelectElement>(`[data-operation=${operation}] [name=status]`).value = 'sold'
    submit(operation)
  }
  expect(sent[0]?.[0]).toEndWith('/v1/pets?status=sold')
  expect(sent[1]?.[1].body).toBe('{"name":"Rex","categoryId":7,"status":"sold"}')
})

test('"Nothing was added" is said only about the animal shown just before', async () => {
  const states: string[] = []
  for (const location of ['/v1/pets/1', '/v1/pets/2', '/v1/pets/2', undefined]) {
    respond = Promise.withResolvers()
    submit('createPet')
    const created = { status: 201, headers: { Location: location ?? '' } }
    respond.resolve(new Response(null, location ? created : { status: 400 }))
    await settled('createPet')
    states.push(stateOf('createPet').slice(0, 31))
  }
  const [added, replayed] = ['Response 201.', 'Response 201. Nothing was added']
  expect(states).toEqual([added, added, replayed, 'Response 400.'])
})

import { baseUrl } from '../page.ts'
import { couldBeKey, keyIn } from '../session/api-key.ts'
import { kept } from '../storage.ts'
import { curlOf, titled } from './curl.ts'
import { all, element, one } from './elements.ts'
import { setKey } from './key.ts'

type Control = HTMLInputElement | HTMLSelectElement

const WHOLE = /^-?(?:0|[1-9]\d*)$/
const IDEMPOTENCY_KEY = 'Idempotency-Key'
const REFUSED = ' This key is not accepted: enter another.'
const REPLAYED =
  ' Nothing was added: this is the response to the same request as before. Change a field to add another animal.'

/** Forms that each send one request and show its response unchanged. */
export function offerTrying(): void {
  for (const place of all('.try')) {
    const form = one<HTMLFormElement>('form', place)
    // A change to the animal makes it a different request; a change to the API key does not.
    form.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLElement && target.dataset.place) delete form.dataset.repeat
    })
    form.addEventListener('submit', event => {
      event.preventDefault()
      void trySending(form, one('.try-response', place))
    })
    one('.try-known button', form).addEventListener('click', () => {
      setKey(undefined)
      one('.try-key input', form).focus()
    })
  }
}

async function trySending(form: HTMLFormElement, shownIn: HTMLElement): Promise<void> {
  if (form.ariaBusy === 'true') return
  const state = one('.try-state', form)
  const typed = one<HTMLInputElement>('.try-key input', form)
  const known = kept.apiKey.get()
  const key = known ?? keyIn(typed.value)
  const empty = all<Control>('[data-place=path]', form).find(({ value }) => value.trim() === '')
  const missing = couldBeKey(key) ? empty : typed
  if (missing) {
    state.textContent = `Enter ${missing === typed ? 'an API key' : missing.name} first.`
    return missing.focus()
  }
  form.ariaBusy = 'true'
  state.textContent = 'Sending…'
  try {
    const { status, headers } = await send(requestOf(form, key), shownIn)
    const meaning = status === 401 ? REFUSED : headers.has('idempotent-replayed') ? REPLAYED : ''
    state.textContent = `Response ${status}.${meaning}`
    if (status === 401) {
      setKey(undefined)
      typed.focus()
    } else if (known === undefined) setKey(key)
  } catch {
    state.textContent = 'No response. The service may have received the request; sending it again is safe.'
  } finally {
    form.ariaBusy = 'false'
  }
}

/** Shows the request as soon as it is sent, and then its response. */
async function send({ url, init }: ReturnType<typeof requestOf>, shownIn: HTMLElement): Promise<Response> {
  const ofResponse = all('[data-topic=tried-response], details', shownIn)
  one('pre', shownIn).textContent = curlOf(url, init)
  for (const part of ofResponse) part.hidden = true
  shownIn.hidden = false
  const started = performance.now()
  const response = await fetch(url, init)
  const { status, headers } = response
  one('.try-time', shownIn).textContent = String(Math.round(performance.now() - started))
  one('.code', shownIn).textContent = String(status)
  one('.code', shownIn).className = `code code-${Math.floor(status / 100)}`
  const lines = [...headers].map(([name, value]) => [
    element('dt', '', titled(name)),
    element('dd', '', value),
  ])
  one('dl', shownIn).replaceChildren(...lines.flat())
  const text = await response.text()
  const body = one('[data-topic=tried-response] pre', shownIn)
  body.replaceChildren(...coloured(text))
  body.hidden = text === ''
  for (const part of ofResponse) part.hidden = false
  return response
}

/** The request that a form describes. Empty fields are not sent; digits are sent as typed. */
function requestOf(form: HTMLFormElement, key: string): { url: string; init: RequestInit } {
  const { method = 'GET', path = '' } = form.dataset
  const controls = all<Control>('[data-place]', form).filter(({ value }) => value !== '')
  const at = (place: string): Control[] => controls.filter(({ dataset }) => dataset.place === place)
  let url = baseUrl() + path
  for (const { name, value } of at('path')) url = url.replace(`{${name}}`, encodeURIComponent(value))
  const query = new URLSearchParams(at('query').map(({ name, value }) => [name, value]))
  if (query.size > 0) url += `?${query}`
  const headers = new Headers({ Authorization: `Bearer ${key}`, Accept: 'application/json' })
  for (const { name, value } of at('header')) headers.set(name, value)
  if (method !== 'POST') return { url, init: { headers, cache: 'no-store' } }
  headers.set('Content-Type', 'application/json')
  // The same until a field changes, so that no click adds an animal twice.
  form.dataset.repeat ??= crypto.getRandomValues(new Uint32Array(4)).join('-')
  if (!headers.has(IDEMPOTENCY_KEY)) headers.set(IDEMPOTENCY_KEY, form.dataset.repeat)
  return { url, init: { method, headers, body: `{${at('body').map(fieldOf).join(',')}}` } }
}

const fieldOf = ({ name, value, dataset }: Control): string =>
  `${JSON.stringify(name)}:${dataset.number !== undefined && WHOLE.test(value) ? value : JSON.stringify(value)}`

const JSON_TOKENS = /"(?:\\.|[^"\\])*"|[-+.\w]+|\[\]|\{\}|[[\]{}:,]/g

/** JSON on several lines and coloured like the samples, with each number as it was written. Other content is unchanged. */
function coloured(text: string): (string | Node)[] {
  try {
    JSON.parse(text)
  } catch {
    return [text]
  }
  let line = '\n'
  return (text.match(JSON_TOKENS) ?? []).flatMap((token, at, tokens) => {
    if (token.startsWith('"')) return element('span', tokens[at + 1] === ':' ? 'k' : 's', token)
    if (/\w/.test(token)) return element('span', 'n', token)
    if (token === ',') return [token, line]
    if (token === ':') return ': '
    if (token.length === 2) return token
    if (/[\]}]/.test(token)) {
      line = line.slice(0, -2)
      return [line, token]
    }
    line += '  '
    return [token, line]
  })
}

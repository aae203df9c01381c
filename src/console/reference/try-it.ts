import { baseUrl } from '../page.ts'
import { couldBeKey, keyIn, visibleHint } from '../session/api-key.ts'
import { curlOf, type RecordedRequest, recordingFetch, titled } from '../session/connect.ts'
import { kept } from '../storage.ts'
import { all, button, element } from './elements.ts'

type Control = HTMLInputElement | HTMLSelectElement

const WHOLE = /^-?(?:0|[1-9]\d*)$/
const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** TypeScript does not know the reviver's third argument and `rawJSON` yet. */
const { parse, rawJSON } = JSON as unknown as {
  parse(
    text: string,
    reviver: (name: string, value: unknown, context: { source?: string }) => unknown,
  ): unknown
  rawJSON(text: string): unknown
}

/** Forms that each send one request and show its response unchanged. */
export function offerTrying(onKeyChanged: () => void): void {
  const forms = all<HTMLFormElement>('.try form')
  const showKey = (): void => {
    onKeyChanged()
    for (const form of forms) showKeyIn(form, forget)
  }
  const forget = (): void => {
    kept.apiKey.set(undefined)
    showKey()
  }
  showKey()
  for (const form of forms) {
    // A change to the animal makes it a different request; a change to the API key does not.
    form.addEventListener('input', ({ target }) => {
      if (target instanceof HTMLElement && target.dataset.place) delete form.dataset.repeat
    })
    form.addEventListener('submit', event => {
      event.preventDefault()
      void trySending(form, showKey, forget)
    })
  }
}

/** Either a field for the key, or the key in use and a way to change it. */
function showKeyIn(form: HTMLFormElement, onForget: () => void): void {
  const key = kept.apiKey.get()
  const field = form.querySelector<HTMLElement>('.try-key')
  const known = form.querySelector('.try-known')
  if (field === null) return
  const hadFocus = [field, known].some(part => part?.contains(document.activeElement))
  known?.remove()
  field.hidden = key !== undefined
  if (key !== undefined) {
    const hint = element('code', '', visibleHint(key) || 'of this tab')
    field.after(element('p', 'try-known', 'API key ', hint, ' ', button('Use another key', onForget)))
  }
  if (hadFocus) all(key === undefined ? '.try-key input' : '[type=submit]', form)[0]?.focus()
}

async function trySending(form: HTMLFormElement, onKey: () => void, onRefused: () => void): Promise<void> {
  const shownIn = form.parentElement?.querySelector<HTMLElement>('.try-response')
  const state = form.querySelector<HTMLElement>('.try-state')
  if (!shownIn || !state || form.ariaBusy === 'true') return
  const typed = form.querySelector<HTMLInputElement>('.try-key input')
  const known = kept.apiKey.get()
  const key = known ?? keyIn(typed?.value ?? '')
  const empty = all<Control>('[data-place=path]', form).find(({ value }) => value.trim() === '')
  const missing = couldBeKey(key) ? empty : typed
  if (missing) {
    state.textContent = `Enter ${missing === typed ? 'an API key' : missing.name} first.`
    return missing.focus()
  }
  form.ariaBusy = 'true'
  state.textContent = 'Sending…'
  try {
    const response = await send(form, key, shownIn)
    const isReplayed = response.headers.get('idempotent-replayed') !== null
    state.textContent = `Response ${response.status}.${isReplayed ? ' Nothing was added: this is the response to the same request as before. Change a field to add another animal.' : ''}`
    if (response.status === 401 && known !== undefined) {
      state.textContent = 'Response 401. This key is not accepted: enter another.'
      onRefused()
      typed?.focus()
    } else if (response.status !== 401 && known === undefined) {
      kept.apiKey.set(key)
      onKey()
    }
  } catch {
    state.textContent = 'No response. The service may have received the request; sending it again is safe.'
  } finally {
    form.ariaBusy = 'false'
  }
}

async function send(form: HTMLFormElement, key: string, shownIn: HTMLElement): Promise<Response> {
  let recorded: RecordedRequest | undefined
  const { url, init } = requestOf(form, key)
  const response = await recordingFetch(exchange => {
    recorded = exchange
    shownIn.replaceChildren(requestFigure(exchange))
    shownIn.hidden = false
  })(url, init)
  const text = await response.text()
  if (recorded !== undefined) shownIn.append(...shown(recorded, text))
  return response
}

/** The request that a form describes. Empty fields are not sent; digits are sent as typed. */
function requestOf(form: HTMLFormElement, key: string): { url: string; init: RequestInit } {
  const controls = all<Control>('[data-place]', form).filter(({ value }) => value !== '')
  const at = (place: string): Control[] => controls.filter(({ dataset }) => dataset.place === place)
  const { method = 'GET', path = '' } = form.dataset
  const filled = at('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  )
  const query = new URLSearchParams(at('query').map(({ name, value }) => [name, value]))
  const headers = new Headers({ Authorization: `Bearer ${key}`, Accept: 'application/json' })
  for (const { name, value } of at('header')) headers.set(name, value)
  if (method === 'POST') {
    headers.set('Content-Type', 'application/json')
    // The same until a field changes, so that no click adds an animal twice.
    form.dataset.repeat ??= crypto.getRandomValues(new Uint32Array(4)).join('-')
    if (!headers.has(IDEMPOTENCY_KEY)) headers.set(IDEMPOTENCY_KEY, form.dataset.repeat)
  }
  const body = method === 'POST' ? `{${at('body').map(fieldOf).join(',')}}` : undefined
  const url = baseUrl() + filled + (query.size > 0 ? `?${query}` : '')
  return { url, init: { method, headers, ...(body !== undefined && { body }), cache: 'no-store' } }
}

const fieldOf = ({ name, value, dataset }: Control): string =>
  `${JSON.stringify(name)}:${dataset.number !== undefined && WHOLE.test(value) ? value : JSON.stringify(value)}`

function requestFigure(exchange: RecordedRequest): HTMLElement {
  const copy = element('button', 'copy', element('span', '', 'Copy'))
  copy.hidden = navigator.clipboard === undefined
  return figure([element('span', '', 'Request'), copy], curlOf(exchange), 'The request as curl')
}

function shown({ response }: RecordedRequest, text: string): HTMLElement[] {
  const headers = element('dl', 'small')
  for (const [name, value] of response?.headers ?? [])
    headers.append(element('dt', '', titled(name)), element('dd', '', value))
  const status = String(response?.status ?? '')
  const code = element('b', `code code-${status.slice(0, 1)}`, status)
  const head = [
    element('span', '', 'Response'),
    element('span', '', code, ` in ${Math.round(response?.durationMs ?? 0)} ms`),
  ]
  return [
    figure(head, indented(text), 'The body of the response'),
    element('details', '', element('summary', '', 'Headers'), headers),
  ]
}

/** Scrollable elements must be reachable by keyboard. */
function figure(head: readonly HTMLElement[], text: string, label: string): HTMLElement {
  const code = element('pre', '', text)
  code.tabIndex = 0
  code.ariaLabel = label
  const caption = element('figcaption', 'sample-head row nowrap spread small muted', ...head)
  return element('figure', 'sample card', caption, ...(text === '' ? [] : [code]))
}

/** JSON on several lines, with each number as it was written. Other content is unchanged. */
function indented(text: string): string {
  try {
    const exact = parse(text, (_name, value, { source }) =>
      typeof value === 'number' ? rawJSON(`${source}`) : value,
    )
    return JSON.stringify(exact, null, 2)
  } catch {
    return text
  }
}

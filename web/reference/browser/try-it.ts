import { newIdempotencyKey } from '../../../client/src/index.ts'
import { parse, rawJSON } from '../../../src/contract/raw-json.ts'
import { couldBeKey, keyIn } from '../../api-key.ts'
import { baseUrl } from '../../page.ts'
import { kept } from '../../storage.ts'
import { all, one } from './elements.ts'

/** What a form sends. */
interface Sent {
  readonly url: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

type Control = HTMLInputElement | HTMLSelectElement

const WHOLE = /^-?(?:0|[1-9]\d*)$/
const REFUSED = ' This key is not accepted: enter another.'
const REPLAYED =
  ' Nothing was added: this is the response to the same request as before. Change a field to add another animal.'

/** Forms that each send one request and show its response unchanged. */
export function offerTrying(): void {
  showKey()
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
  }
}

/** All forms have the key of this tab, which the console uses too. */
function showKey(): void {
  for (const field of all<HTMLInputElement>('[name=key]')) field.value = kept.apiKey.get() ?? ''
}

async function trySending(form: HTMLFormElement, shownIn: HTMLElement): Promise<void> {
  if (form.ariaBusy === 'true') return
  const state = one('.try-state', form)
  const typed = one<HTMLInputElement>('[name=key]', form)
  const key = keyIn(typed.value)
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
    // The browser itself may have asked twice, so only an animal that was shown before is not a new one.
    const { added } = form.dataset
    form.dataset.added = headers.get('location') ?? ''
    const meaning = status === 401 ? REFUSED : added && added === form.dataset.added ? REPLAYED : ''
    state.textContent = `Response ${status}.${meaning}`
    kept.apiKey.set(status === 401 ? undefined : key)
    showKey()
    if (status === 401) typed.focus()
  } catch {
    state.textContent = 'No response. The service may have received the request; sending it again is safe.'
  } finally {
    form.ariaBusy = 'false'
  }
}

/** Shows the request as soon as it is sent, and then its response. */
async function send(sent: Sent, shownIn: HTMLElement): Promise<Response> {
  const { url, ...init } = sent
  const ofResponse = all('[data-topic=tried-response], details', shownIn)
  one('pre', shownIn).textContent = curlOf(sent)
  for (const part of ofResponse) part.hidden = true
  shownIn.hidden = false
  const started = performance.now()
  const response = await fetch(url, { ...init, cache: 'no-store' })
  const { status, headers } = response
  one('.try-time', shownIn).textContent = String(Math.round(performance.now() - started))
  one('.code', shownIn).textContent = String(status)
  one('.code', shownIn).className = `code code-${Math.floor(status / 100)}`
  one('.wrapped', shownIn).textContent = [...headers].map(header => header.join(': ')).join('\n')
  one('[data-topic=tried-response] pre', shownIn).textContent = readable(await response.text())
  for (const part of ofResponse) part.hidden = false
  return response
}

/** The same request for a shell, which reads the API key from a variable. */
function curlOf({ url, headers: { Authorization, Accept, ...shown }, body }: Sent): string {
  const parts = [
    `curl -i ${quoted(url)}`,
    '-H "Authorization: Bearer $PETSTORE_API_KEY"',
    ...Object.entries(shown).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`-d ${quoted(body)}`]),
  ]
  return parts.join(' \\\n  ')
}

/** Within single quotes a shell changes nothing, but a single quote itself has to be outside them. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** The request that a form describes. Empty fields are not sent; digits are sent as typed. */
function requestOf(form: HTMLFormElement, key: string): Sent {
  const { method = 'GET', path = '' } = form.dataset
  const controls = all<Control>('[data-place]', form).filter(({ value }) => value !== '')
  const at = (place: string): Control[] => controls.filter(({ dataset }) => dataset.place === place)
  const valuesAt = (place: string) => Object.fromEntries(at(place).map(({ name, value }) => [name, value]))
  let url = baseUrl() + path
  for (const { name, value } of at('path')) url = url.replace(`{${name}}`, encodeURIComponent(value))
  const query = new URLSearchParams(valuesAt('query'))
  if (query.size > 0) url += `?${query}`
  const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json', ...valuesAt('header') }
  if (method !== 'POST') return { url, method, headers }
  // The same until a field changes, so that no click adds an animal twice.
  form.dataset.repeat ??= newIdempotencyKey()
  return {
    url,
    method,
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': form.dataset.repeat, ...headers },
    body: `{${at('body').map(fieldOf).join(',')}}`,
  }
}

const fieldOf = ({ name, value, dataset }: Control): string =>
  `${JSON.stringify(name)}:${dataset.number !== undefined && WHOLE.test(value) ? value : JSON.stringify(value)}`

/** JSON on several lines, with each number as it was written. Anything else is unchanged. */
function readable(text: string): string {
  try {
    const value = parse(text, (_, value, { source = '' }) =>
      typeof value === 'number' ? rawJSON(source) : value,
    )
    return JSON.stringify(value, null, 2)
  } catch {
    return text
  }
}

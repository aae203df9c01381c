import { baseUrl } from '../base-url.ts'
import { all } from './elements.ts'

type Control = HTMLInputElement | HTMLSelectElement

const WHOLE = /^-?(?:0|[1-9]\d*)$/
const IDEMPOTENCY_KEY = 'Idempotency-Key'

/** The request that a form describes. What is left empty is not sent; digits are sent as they were typed. */
export function requestOf(form: HTMLFormElement, key: string): { url: string; init: RequestInit } {
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
    if (!headers.has(IDEMPOTENCY_KEY)) headers.set(IDEMPOTENCY_KEY, keyOfRepeat(form))
  }
  const body = method === 'POST' ? `{${at('body').map(fieldOf).join(',')}}` : undefined
  const url = baseUrl + filled + (query.size > 0 ? `?${query}` : '')
  return { url, init: { method, headers, ...(body !== undefined && { body }), cache: 'no-store' } }
}

const fieldOf = ({ name, value, dataset }: Control): string =>
  `${JSON.stringify(name)}:${dataset.number !== undefined && WHOLE.test(value) ? value : JSON.stringify(value)}`

/** The same until an answer came, so that an animal is not added twice by accident. */
function keyOfRepeat(form: HTMLFormElement): string {
  form.dataset.repeat ??= crypto.getRandomValues(new Uint32Array(4)).join('-')
  return form.dataset.repeat
}

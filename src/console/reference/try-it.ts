import { curlOf, titled } from '../request/curl.ts'
import { notingFetch, type RecordedExchange } from '../request/exchange.ts'
import { keepKey, keptKey } from '../sign-in/kept-key.ts'
import { all, element } from './elements.ts'
import { indented } from './indent.ts'
import { requestOf } from './request.ts'

/** Forms that send one request each, and show the answer as it came. */
export function offerTrying(keyChanged: () => void): void {
  for (const form of all<HTMLFormElement>('.try form')) {
    const isSignedIn = keptKey() !== undefined
    const answer = form.parentElement?.querySelector<HTMLElement>('.try-answer')
    const state = form.querySelector<HTMLElement>('.try-state')
    const field = form.querySelector<HTMLElement>('.try-key')
    if (!answer || !state || !field) continue
    field.hidden = isSignedIn
    // Another animal is another request.
    form.addEventListener('input', () => delete form.dataset.repeat)
    form.addEventListener('submit', async event => {
      event.preventDefault()
      if (form.ariaBusy === 'true') return
      const key = keptKey() ?? keyIn(form)
      if (key === '') {
        state.textContent = 'Enter an API key first.'
        field.querySelector('input')?.focus()
        return
      }
      form.ariaBusy = 'true'
      state.textContent = 'Sending…'
      try {
        const status = await send(form, key, answer)
        state.textContent = `Answered with ${status}.`
        if (status !== 401 && keptKey() === undefined) {
          keepKey(key)
          for (const other of all('.try-key')) other.hidden = true
          keyChanged()
        }
      } catch {
        state.textContent = 'No answer came. The request may have arrived: sending it again is safe.'
      } finally {
        form.ariaBusy = 'false'
      }
    })
  }
}

/** As it is pasted: with quotes, or as a whole header. */
const keyIn = (form: HTMLFormElement): string =>
  String(new FormData(form).get('key'))
    .trim()
    .replace(/^(?:authorization:\s*)?bearer\s+/i, '')
    .replaceAll(/^["']|["']$/g, '')

async function send(form: HTMLFormElement, key: string, answer: HTMLElement): Promise<number> {
  let noted: RecordedExchange | undefined
  const { url, init } = requestOf(form, key)
  const response = await notingFetch(exchange => {
    noted = exchange
  })(url, init)
  const text = await response.text()
  // Until an answer came the key of a repeat stays the same; the next request is a new one.
  delete form.dataset.repeat
  if (noted !== undefined) answer.replaceChildren(...shown(noted, text))
  answer.hidden = false
  return response.status
}

function shown(exchange: RecordedExchange, text: string): HTMLElement[] {
  const { answer } = exchange
  const headers = element('dl', 'headers')
  for (const [name, value] of answer?.headers ?? [])
    headers.append(element('dt', '', titled(name)), element('dd', '', value))
  const status = String(answer?.status ?? '')
  return [
    element(
      'p',
      'try-status',
      element('span', `code code-${status.slice(0, 1)}`, status),
      ` in ${Math.round(answer?.durationMs ?? 0)} ms`,
    ),
    ...(text === '' ? [] : [scrolling(indented(text), 'The body of the answer')]),
    element('details', '', element('summary', '', 'Headers'), headers),
    element(
      'details',
      '',
      element('summary', '', 'As curl'),
      scrolling(curlOf(exchange), 'The request as curl'),
    ),
  ]
}

/** What scrolls must be reachable by keyboard. */
function scrolling(text: string, label: string): HTMLPreElement {
  const made = element('pre', '', text)
  made.tabIndex = 0
  made.ariaLabel = label
  return made
}

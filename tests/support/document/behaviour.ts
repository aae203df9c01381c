import {
  Event,
  type HTMLAnchorElement,
  type HTMLDialogElement,
  HTMLElement,
  type HTMLInputElement,
  type KeyboardEvent,
  type MouseEvent,
  type Window,
} from 'happy-dom'

const IS_OPEN = 'data-is-open'
const { click, focus } = HTMLElement.prototype
/** What had the focus before a dialog. */
const before = new WeakMap<HTMLDialogElement, HTMLElement>()
const saves = new WeakMap<object, (link: HTMLAnchorElement) => void>()

class Dragged extends Event {
  readonly dataTransfer: unknown

  constructor(type: string, { dataTransfer, ...init }: { dataTransfer: unknown; bubbles: boolean }) {
    super(type, init)
    this.dataTransfer = dataTransfer
  }
}

function hidePopover(this: HTMLElement): void {
  this.removeAttribute(IS_OPEN)
  const opener = this.ownerDocument.querySelector(`[popovertarget="${this.id}"]`)
  if (opener instanceof HTMLElement) opener.focus()
}

/** For the elements of all windows, which share their prototypes. */
function completeElements(window: Window): void {
  const element = window.HTMLElement.prototype
  const dialog = window.HTMLDialogElement.prototype
  Object.defineProperty(element, 'ariaLabel', {
    configurable: true,
    get(this: HTMLElement) {
      return this.getAttribute('aria-label')
    },
  })
  Object.defineProperty(element, 'offsetParent', {
    configurable: true,
    get(this: HTMLElement) {
      return this.isConnected && !this.closest('[hidden]') ? this.parentElement : null
    },
  })
  Object.defineProperty(window.DataTransfer.prototype, 'types', { configurable: true, value: ['Files'] })
  element.focus = function (this: HTMLElement) {
    const top = this.ownerDocument.querySelector('dialog[open]')
    // A dialog makes everything beneath it inert.
    if (!top || top.contains(this)) focus.call(this)
  }
  Object.assign(element, { hidePopover })
  dialog.showModal = function (this: HTMLDialogElement) {
    before.set(this, this.ownerDocument.activeElement as HTMLElement)
    this.setAttribute('open', '')
    ;(this.querySelector('[autofocus]') as HTMLElement | null)?.focus()
  }
  dialog.close = function (this: HTMLDialogElement) {
    if (!this.open) return
    this.removeAttribute('open')
    before.get(this)?.focus()
    setTimeout(() => this.dispatchEvent(new Event('close')))
  }
  window.HTMLAnchorElement.prototype.click = function (this: HTMLAnchorElement) {
    return (saves.get(this.ownerDocument) ?? click).call(this, this)
  }
}

interface Own {
  complain(complaint: string): void
  save(link: HTMLAnchorElement): void
}

/** What a browser does by itself, and a document alone does not: popovers, dialogs that keep the focus, and steps that take a moment. */
export function behave(window: Window, { complain, save }: Own): void {
  const { document, history } = window
  const openMenu = () => document.querySelector(`[popover=auto][${IS_OPEN}]`) as HTMLElement | null
  completeElements(window)
  saves.set(document, save)
  Object.assign(window, { DragEvent: Dragged })

  window.addEventListener('click', event => {
    const target = (event as MouseEvent).target as HTMLElement
    const opened = openMenu()
    const id = target.closest('[popovertarget]')?.getAttribute('popovertarget')
    if (opened && !opened.contains(target)) opened.removeAttribute(IS_OPEN)
    if (id && opened?.id !== id) document.getElementById(id)?.setAttribute(IS_OPEN, '')
  })

  window.addEventListener('keydown', event => {
    if (event.defaultPrevented || (event as KeyboardEvent).key !== 'Escape') return
    const top = document.querySelector('dialog[open]') as HTMLDialogElement | null
    const opened = openMenu()
    if (opened) hidePopover.call(opened)
    else if (top?.dispatchEvent(new window.Event('cancel', { cancelable: true }))) top.close()
  })

  // A form may have its button elsewhere.
  window.addEventListener('keypress', event => {
    const { form } = event.target as HTMLInputElement
    if ((event as KeyboardEvent).key !== 'Enter' || !form?.id) return
    setTimeout(() =>
      (document.querySelector(`[type=submit][form="${form.id}"]`) as HTMLElement | null)?.click(),
    )
  })
  let steps = 0
  const [push, back] = [history.pushState.bind(history), history.back.bind(history)]
  history.pushState = (...entry) => {
    steps++
    push(...entry)
  }
  history.back = () => {
    if (steps-- > 0) setTimeout(back)
    else complain('left the page')
  }
  window.addEventListener('hashchange', () => window.dispatchEvent(new window.PopStateEvent('popstate', {})))
}

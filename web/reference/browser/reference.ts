import { kept } from '../../storage.ts'
import { all, one } from './elements.ts'
import { offerTrying } from './try-it.ts'

function showAddress(): void {
  for (const place of all('.reference:not([data-has-address]) [data-address]'))
    place.textContent = new URL(place.dataset.address ?? '', document.baseURI).href.replace(/\/$/, '')
}

/** Only pages from a secure origin can write to the clipboard; elsewhere there is no button. */
function offerCopies(): void {
  for (const button of all('.copy')) {
    button.hidden = navigator.clipboard === undefined
    button.addEventListener('click', () => void copy(button))
  }
}

/** Copies the sample that the button belongs to, or the URL of its operation. */
async function copy(button: HTMLElement): Promise<void> {
  const shown = all('pre', button.closest('figure') ?? button).find(sample => sample.offsetParent !== null)
  const url = one('[data-address="v1"]').textContent + button.dataset.path
  await navigator.clipboard.writeText(shown ? shown.textContent : url)
  const word = one('span', button)
  const state = one('#copy-state')
  if (word.textContent === 'Copied') return
  const before = word.textContent
  word.textContent = 'Copied'
  state.textContent = 'Copied'
  setTimeout(() => {
    word.textContent = before
    state.textContent = ''
  }, 2000)
}

/** One choice for all samples, kept in this browser. */
function offerLanguages(): void {
  const buttons = all('[data-choose]')
  const choose = (language = ''): void => {
    for (const sample of all('pre[data-language]')) sample.hidden = sample.dataset.language !== language
    for (const button of buttons) button.ariaPressed = String(button.dataset.choose === language)
  }
  const known = kept.language.get()
  if (buttons.some(({ dataset }) => dataset.choose === known)) choose(known)
  for (const button of buttons)
    button.addEventListener('click', () => {
      const before = button.getBoundingClientRect().top
      kept.language.set(button.dataset.choose)
      choose(button.dataset.choose)
      // Samples above also change in length, so this keeps the pressed button in place.
      scrollBy(0, button.getBoundingClientRect().top - before)
    })
}

/** Marks the section in view in the contents. On a phone, these are a strip, which scrolls to the mark. */
function markCurrentSection(): void {
  const sections = all('.entry')
  const strip = one('.contents-lists')
  let current: HTMLElement | undefined

  const mark = (): void => {
    // A section that was followed by a link starts here.
    const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 1
    const seen = sections.findLast(section => section.getBoundingClientRect().top <= line) ?? sections[0]
    if (seen === current) return
    current = seen
    for (const link of all<HTMLAnchorElement>('a', strip)) {
      const isCurrent = link.hash === `#${seen?.id}`
      link.ariaCurrent = isCurrent ? 'location' : null
      if (isCurrent) strip.scrollTo({ left: link.offsetLeft - (strip.clientWidth - link.offsetWidth) / 2 })
    }
  }
  mark()
  addEventListener('scroll', mark, { passive: true })
  addEventListener('resize', mark)
}

/** The page works without this; only the following needs JavaScript. */
showAddress()
offerLanguages()
offerCopies()
markCurrentSection()
offerTrying()

import { all, one } from './elements.ts'

/** Marks the section in view in the contents. On a phone, these are a strip, which scrolls to the mark. */
export function markCurrentSection(): void {
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

import './reference.css'
import { all } from './elements.ts'
import { fillIn, offerCopies, offerLanguages } from './samples.ts'
import { offerSearch } from './search.ts'
import { offerTrying } from './try-it.ts'

/** The page can be read as it came; this is what needs a program. */
fillIn()
offerLanguages()
offerCopies()
offerSearch()
offerTrying(fillIn)
showPlace()

/** Shows in the contents which section is being read. */
function showPlace(): void {
  const links = all<HTMLAnchorElement>('.contents-lists a[href^="#"]')
  const visible = new Set<string>()
  const sections = all('.entry')
  const observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) visible.add(target.id)
        else visible.delete(target.id)
      const first = sections.find(({ id }) => visible.has(id))
      for (const link of first ? links : [])
        if (link.hash === `#${first?.id}`) link.setAttribute('aria-current', 'location')
        else link.removeAttribute('aria-current')
    },
    { rootMargin: '-96px 0px -60% 0px' },
  )
  for (const section of sections) observer.observe(section)
}

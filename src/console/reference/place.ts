import { all } from './elements.ts'

/** Marks in the contents which section is being read. */
export function markPlace(): void {
  const links = new Map(all<HTMLAnchorElement>('.contents-lists a[href^="#"]').map(link => [link.hash, link]))
  const mark = (id: string): void => {
    for (const [hash, link] of links)
      if (hash === `#${id}`) link.setAttribute('aria-current', 'location')
      else link.removeAttribute('aria-current')
  }
  const visible = new Set<string>()
  const sections = all('.entry')
  const observer = new IntersectionObserver(
    entries => {
      for (const { target, isIntersecting } of entries)
        if (isIntersecting) visible.add(target.id)
        else visible.delete(target.id)
      const first = sections.find(({ id }) => visible.has(id))
      if (first !== undefined) mark(first.id)
    },
    { rootMargin: '-96px 0px -60% 0px' },
  )
  for (const section of sections) observer.observe(section)
}

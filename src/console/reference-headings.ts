/** The library jumps from the second level to the fifth, which whoever listens to the page would take for a gap. */
export function keepHeadingsInOrder(place: HTMLElement): void {
  const lift = () => {
    for (const heading of place.querySelectorAll('h5:not([aria-level])')) {
      heading.setAttribute('role', 'heading')
      heading.setAttribute('aria-level', '3')
    }
  }
  lift()
  // More of them come when a part is opened.
  new MutationObserver(lift).observe(place, { childList: true, subtree: true })
}

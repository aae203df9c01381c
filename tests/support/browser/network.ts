import type { Page, Route } from 'playwright-core'

/** Handles the additions of a page, each with its number, from 1. */
export async function onAdditions(
  page: Page,
  handle: (route: Route, number: number) => Promise<unknown>,
): Promise<void> {
  let number = 0
  await page.route('**/v1/pets', route =>
    route.request().method() === 'POST' ? handle(route, ++number) : route.continue(),
  )
}

/** Holds every addition in transit until the returned function is called. */
export async function holdAdditions(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await onAdditions(page, async route => {
    await promise
    // The page may have given it up meanwhile.
    await route.continue().catch(() => undefined)
  })
  return resolve
}

/** The service adds all animals, but only the first responses arrive. The returned function waits until one is held back. */
export async function holdAnswers(page: Page, afterFirst: number): Promise<() => Promise<void>> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await onAdditions(page, async (route, number) => {
    if (number <= afterFirst) return route.continue()
    await route.fetch()
    return resolve()
  })
  return () => promise
}

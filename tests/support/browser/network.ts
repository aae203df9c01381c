import type { Page, Route } from 'playwright-core'

const isAddition = (route: Route): boolean => route.request().method() === 'POST'

/** Drops the answer after the service has added the animal, for the first `times` additions. */
export async function loseAnswers(page: Page, times: number): Promise<void> {
  let left = times
  await page.route('**/v1/pets', async route => {
    if (!isAddition(route) || left-- <= 0) return route.continue()
    await route.fetch()
    return route.abort()
  })
}

/** Delays every addition on its way to the service. */
export async function delayAdditions(page: Page, ms: number): Promise<void> {
  await page.route('**/v1/pets', async route => {
    if (isAddition(route)) await Bun.sleep(ms)
    // The page may have been closed or reloaded meanwhile.
    await route.continue().catch(() => undefined)
  })
}

/** Holds every addition in transit until the returned function is called. */
export async function holdAdditions(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route('**/v1/pets', async route => {
    if (isAddition(route)) await promise
    // The page may have been closed meanwhile.
    await route.continue().catch(() => undefined)
  })
  return resolve
}

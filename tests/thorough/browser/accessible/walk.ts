import type { Page } from 'playwright-core'
import { expectAccessible } from '../../../support/browser/accessibility.ts'

/** Each state by name, and how to reach it from the previous one. */
export type States = Readonly<Record<string, (page: Page) => Promise<unknown>>>

export async function walk(page: Page, states: States): Promise<void> {
  for (const [state, reach] of Object.entries(states)) {
    await reach(page)
    await expectAccessible(page, ['light', 'dark', 'forced'], state)
  }
}

/** Holds requests to these addresses until the returned function is called. */
export async function hold(page: Page, addresses: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(addresses, async route => {
    await promise
    await route.continue().catch(() => undefined)
  })
  return resolve
}

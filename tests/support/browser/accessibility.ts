import { expect } from 'bun:test'
import type { Page } from 'playwright-core'

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

declare const axe: { run(): Promise<Found> }

const source = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

type Scheme = 'light' | 'dark'

/** By every rule that axe has, in light and in dark. */
export async function expectAccessible(
  page: Page,
  schemes: readonly Scheme[] = ['light', 'dark'],
): Promise<void> {
  await page.evaluate(source)
  for (const colorScheme of schemes) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    const { violations } = await page.evaluate(() => axe.run())
    expect(violations.map(({ id, nodes }) => `${colorScheme} ${id}: ${nodes[0]?.html}`)).toEqual([])
  }
  await page.emulateMedia({ colorScheme: null })
}

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { DocumentPage } from '../document/page.ts'

/** Defined in the page. */
declare const axe: {
  run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>
}

const source = await Bun.file(Bun.resolveSync('axe-core/axe.min.js', import.meta.dir)).text()

const LOOKS = {
  light: { colorScheme: 'light' },
  dark: { colorScheme: 'dark' },
  forced: { colorScheme: 'dark', forcedColors: 'active' },
  print: { colorScheme: 'light', media: 'print' },
} as const

type Look = keyof typeof LOOKS

/** The rules that depend on colours. All others give the same result in each of the screen looks. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
const AS_BEFORE = { media: null, colorScheme: null, forcedColors: null } as const

/** Applies every rule of axe to the first look and to print, and only the colour rules to the others. */
export async function expectAccessible(
  page: Page,
  looks: readonly Look[] = ['light', 'dark'],
  state = page.url(),
): Promise<void> {
  // It looks at colours and places.
  if (page instanceof DocumentPage) return
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(source)
  for (const [index, look] of looks.entries()) {
    await page.emulateMedia({ ...AS_BEFORE, ...LOOKS[look], reducedMotion: 'reduce' })
    // The passes would be a hundred times as much data to transfer.
    const found = await page.evaluate(
      async rules =>
        (await axe.run({ resultTypes: ['violations'], ...rules })).violations.map(
          ({ id, nodes }) => `${id}: ${nodes[0]?.html}`,
        ),
      index > 0 && look !== 'print' ? { runOnly: OF_COLOURS } : {},
    )
    expect(found.map(violation => `${state}, ${look}: ${violation}`)).toEqual([])
  }
  await page.emulateMedia(AS_BEFORE)
}

/** Targets that are easy to miss with a finger: under 44 pixels high. A radio button or checkbox is as large as its label. */
export async function tooSmall(page: Page): Promise<string[]> {
  if (page instanceof DocumentPage) return []
  return page
    .locator(
      'button:visible, nav a:visible, input:visible, select:visible, summary:visible, label.check:visible',
    )
    .and(page.locator(':not(.bar *, .brand, [type=radio], [type=checkbox], .hidden)'))
    .evaluateAll(all => all.filter(one => one.getBoundingClientRect().height < 44).map(one => one.outerHTML))
}

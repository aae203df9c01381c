import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { startChromium } from '../../tests/support/browser/chromium.ts'
import { preflightOf } from '../../tests/support/programs/preflight.ts'
import { freshSqliteUrl } from '../../tests/support/service/folder.ts'
import { API_KEY, type Service, startService } from '../../tests/support/service/service.ts'
import { ROOT, say } from '../command.ts'

/** With a folder, writes every width in light and dark there for review; without one, retakes the pictures of the docs. */
const [, , REVIEW] = process.argv
const FOLDER = REVIEW ?? join(ROOT, 'docs/images')
const WIDTHS = [320, 390, 768, 1280, 1920]
const DESK = { width: 1080, height: 720 }
const PHONE = { width: 360, height: 720 }

const ANIMALS = [
  ['Rex', 7, 'available'],
  ['Mia', 9007199254740993n, 'pending'],
  ['Bo', 3, 'sold'],
  ['Großer Bär', 12, 'available'],
  ['Žofka', 4, 'available'],
  ['<img src=x onerror=alert(1)>', 7, 'pending'],
  ['Professor Whiskers the Third', -9223372036854775808n, 'available'],
  ['Luna', 3, 'sold'],
  ['Otto', 12, 'available'],
  ['Nala', 4, 'pending'],
  ['Pepper', 7, 'available'],
  ['Fips', 3, 'available'],
] as const

interface Picture {
  readonly name: string
  readonly service: Service
  readonly path?: string
  readonly options?: BrowserContextOptions
  readonly act?: (page: Page) => Promise<unknown>
}

async function take(browser: Browser, { name, service, path = '/', options, act }: Picture): Promise<void> {
  const context = await browser.newContext({ viewport: DESK, ...options })
  // Set as the sign-in does: the pictures show what follows it.
  await context.addInitScript(key => sessionStorage.setItem('petstore-api-key', key), API_KEY)
  const page = await context.newPage()
  await page.goto(service.url + path)
  await page.waitForLoadState('networkidle')
  await act?.(page)
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' })
  await context.close()
  say(join(FOLDER, `${name}.png`))
}

const start = async (environment: string): Promise<Service> =>
  startService({ databaseUrl: await freshSqliteUrl(), variables: { PETSTORE_ENV: environment } })

async function fill(service: Service): Promise<void> {
  for (const [name, categoryId, status] of ANIMALS)
    await service.post(`{"name":${JSON.stringify(name)},"categoryId":${categoryId},"status":"${status}"}`)
}

await preflightOf('npm run screenshots', 'chromium')
const [full, empty, browser] = await Promise.all([start('production'), start('staging'), startChromium()])
await mkdir(FOLDER, { recursive: true })
await fill(full)
const pictures: Picture[] = [
  { name: 'console', service: full, path: '/?limit=10' },
  { name: 'console-dark', service: full, path: '/?limit=10', options: { colorScheme: 'dark' } },
  { name: 'console-phone', service: full, options: { viewport: PHONE } },
  { name: 'console-empty', service: empty },
  {
    name: 'console-add',
    service: full,
    act: async page => {
      await page.getByRole('button', { name: 'Add animal', exact: true }).click()
      await page.getByLabel('Name', { exact: true }).fill('Mia')
      await page.getByLabel('Category', { exact: true }).fill('9223372036854775808')
      await page.getByRole('dialog').getByRole('button', { name: 'Add animal', exact: true }).click()
      await page.getByText('Enter a number from').waitFor()
    },
  },
  {
    name: 'console-error',
    service: full,
    act: async page => {
      await page.context().setOffline(true)
      await page.getByRole('link', { name: 'sold' }).click()
      await page.getByText('You are offline', { exact: true }).waitFor()
    },
  },
  { name: 'reference', service: full, path: '/docs', options: { viewport: { width: 1280, height: 800 } } },
]
const review = WIDTHS.flatMap(width =>
  (['light', 'dark'] as const).flatMap(colorScheme =>
    ['/', '/#add', '/docs'].map(
      (path): Picture => ({
        name: `${path.replace(/\W/g, '') || 'console'}-${width}-${colorScheme}`,
        service: full,
        path,
        options: { viewport: { width, height: width < 768 ? 720 : 900 }, colorScheme },
      }),
    ),
  ),
)
for (const picture of REVIEW ? review : pictures) await take(browser, picture)
await browser.close()
await Promise.all([full.stop(), empty.stop()])

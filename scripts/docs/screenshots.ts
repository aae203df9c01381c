import { join } from 'node:path'
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { freshSqliteUrl } from '../../tests/support/process.ts'
import { program } from '../../tests/support/programs.ts'
import { API_KEY, type Service, startProcess } from '../../tests/support/service.ts'
import { buildPages } from '../build/pages.ts'
import { ROOT, say } from '../command.ts'

/** `npm run docs -- --screenshots`: retakes the pictures in docs/images with the Chromium that CHROMIUM_PATH or PATH names. */
const DESK = { width: 1280, height: 800 }
const ANIMALS = `Rex 7 available, Mia 9007199254740993 pending, Bo 3 sold, Großer_Bär 12 available, Žofka 4 available,
Captain_Fluff 7 pending, Professor_Whiskers_the_Third 9223372036854775807 available, Luna 3 sold,
Otto 12 available, Nala 4 pending, Pepper 7 available, Fips 3 available`
const ROUNDS = 7
const SETTINGS = JSON.stringify({ categoryNames: { 3: 'Fish', 4: 'Birds', 7: 'Dogs', 12: 'Cats' } })

async function invalidAnimal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add animal', exact: true }).click()
  await page.getByLabel('Name', { exact: true }).fill('Mia')
  await page.getByLabel('Category', { exact: true }).fill('9223372036854775808')
  await page.keyboard.press('Enter')
  await page.getByText('Enter a whole number from').waitFor()
}

export async function takeScreenshots(): Promise<void> {
  await buildPages()
  const full = await startProcess({ databaseUrl: await freshSqliteUrl() })
  const staging = { PETSTORE_ENV: 'staging' }
  const empty = await startProcess({ databaseUrl: await freshSqliteUrl(), variables: staging })
  const browser = await chromium.launch({ executablePath: program('chromium'), args: ['--no-sandbox'] })
  for (const animal of Array.from({ length: ROUNDS }, () => ANIMALS.split(/,\s+/)).flat()) {
    const [name = '', categoryId, status] = animal.split(' ')
    const body = `{"name":${JSON.stringify(name.replaceAll('_', ' '))},"categoryId":${categoryId},"status":"${status}"}`
    await full.post(body)
  }
  const take = async (
    name: string,
    service: Service,
    path: string,
    options: BrowserContextOptions = {},
    act = async (_page: Page): Promise<void> => {},
  ): Promise<void> => {
    const context = await browser.newContext({ viewport: DESK, ...options })
    // Set as the sign-in does: the pictures show what follows it.
    await context.addInitScript(`sessionStorage.setItem('petstore-api-key', '${API_KEY}')
localStorage.setItem('petstore-settings', '${SETTINGS}')`)
    const page = await context.newPage()
    await page.goto(service.url + path)
    await page.waitForLoadState('networkidle')
    await act(page)
    await page.screenshot({ path: join(ROOT, 'docs/images', `${name}.png`), animations: 'disabled' })
    await context.close()
    say(`docs/images/${name}.png`)
  }
  await take('console', full, '/?category=7')
  await take('console-dark', full, '/', { colorScheme: 'dark' })
  await take('console-phone', full, '/', { viewport: { width: 390, height: 844 }, hasTouch: true })
  await take('console-empty', empty, '/')
  await take('console-add', full, '/', {}, invalidAnimal)
  await take('reference', full, '/docs')
  await browser.close()
  await Promise.all([full.stop(), empty.stop()])
}

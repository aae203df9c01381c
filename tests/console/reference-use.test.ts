import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { browserTests, CLIPBOARD, clipboardOf, HAS_BROWSER } from '../support/browser/browser.ts'
import { API_KEY } from '../support/service.ts'

const { test, withConsole } = browserTests('curl')
const app = withConsole()

/** What a shell answers to a command, which is the same request as before. */
const pasted = (command: string): Promise<string> =>
  Bun.spawn(['sh', '-c', command], {
    env: { ...process.env, PETSTORE_API_KEY: API_KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  }).stdout.text()

/** The content of the clipboard after copying a sample. */
async function copied(page: Page, topic: string): Promise<string> {
  const sample = page.locator(`.sample[data-topic=${topic}]`)
  await sample.getByRole('button', { name: 'Copy' }).dblclick()
  await sample.getByText('Copied').waitFor()
  // The button keeps its name, so screen readers hear it from elsewhere, and again the next time.
  const status = page.getByRole('status').filter({ hasText: /^Copied$/ })
  await status.waitFor()
  await page.clock.fastForward(2000)
  await status.waitFor({ state: 'detached' })
  await sample.getByText('Copy', { exact: true }).waitFor()
  return clipboardOf(page)
}

test('copies samples in the chosen language, and the URL of an operation', async () => {
  const site = app.service().url.replace('127.0.0.1', 'localhost')
  const page = await app.open('/docs', { ...CLIPBOARD, baseURL: site }, API_KEY)
  await page.clock.install()
  // Another release may have more languages.
  await page.evaluate(`localStorage.setItem('petstore-reference-language', 'cobol')`)
  await page.reload()
  for (const topic of ['start', 'listPets'])
    expect(await copied(page, topic)).toContain('"Authorization: Bearer $PETSTORE_API_KEY"')
  const language = page.locator('.sample[data-topic=errors]').getByRole('button', { name: 'TypeScript' })
  await language.click()
  await page.reload()
  expect(await copied(page, 'pages')).toContain('apiKey: process.env.PETSTORE_API_KEY')
  expect(await copied(page, 'install')).toContain(` ${site}/client.tgz`)
  await page.locator('#getPet').getByRole('button', { name: 'Copy the URL' }).click()
  await page.locator('#getPet .endpoint').getByText('Copied').waitFor()
  expect(await clipboardOf(page)).toBe(`${site}/v1/pets/{petId}`)
})

test('"Try it" sends one exact request at a time, shows every digit of the answer, and adds one animal', async () => {
  const page = await app.open('/docs')
  await page.locator('#createPet .try > summary').click()
  const form = page.getByRole('form', { name: 'Try it: Add an animal' })
  const send = form.getByRole('button', { name: 'Send' })
  await send.click()
  await form.getByText('Enter an API key first.').waitFor()
  await form.getByLabel('API key').fill(API_KEY)
  await form.getByLabel('categoryId').fill('9223372036854775807')
  await form.getByLabel('name').fill('O\'Mal\'ley "x"')
  // The first request arrives, but its response does not.
  await page.route('**/v1/pets', async route => {
    await route.fetch()
    await route.abort()
  })
  await send.click()
  await form.getByText('sending it again is safe').waitFor()
  await form.getByLabel('API key').fill(`Bearer ${API_KEY}`)
  await page.unroute('**/v1/pets')
  await send.dblclick()
  const answer = page.locator('#createPet .try-response')
  await form.getByText('Response 201.', { exact: true }).waitFor()
  const command = await answer.getByLabel('The request as curl').innerText()
  expect(command.replace(/[\d-]{20,}/, '(random)').split('\n')).toEqual([
    `curl -i '${app.service().url}/v1/pets' \\`,
    '  -H "Authorization: Bearer $PETSTORE_API_KEY" \\',
    "  -H 'Content-Type: application/json' \\",
    "  -H 'Idempotency-Key: (random)' \\",
    `  -d '{"name":"O'\\''Mal'\\''ley \\"x\\"","categoryId":9223372036854775807}'`,
  ])
  // The fast tier has no other programs.
  if (HAS_BROWSER) expect(await pasted(command)).toMatch(/idempotent-replayed: true/i)
  expect(await answer.textContent()).toMatch(/201 in \d+ ms.*Id": 9223372036854775807,.*content-type: /s)
  expect(await answer.innerText()).toContain('"name": "O\'Mal\'ley \\"x\\""')
  await send.click()
  await form.getByText('Nothing was added').waitFor()
  expect(await app.stored('O\'Mal\'ley "x"')).toHaveLength(1)
  await form.getByLabel('name').fill('42')
  await form.getByLabel('Idempotency-Key').fill('mine')
  await send.click()
  await form.getByText('Response 201.').waitFor()
  expect(await app.stored('42')).toHaveLength(1)
  expect(await answer.getByLabel('The request as curl').innerText()).toContain("'Idempotency-Key: mine'")
  await form.getByLabel('categoryId').fill('007')
  await send.click()
  await form.getByText('Response 400.').waitFor()
  expect(await answer.textContent()).toContain('categoryId must be')
  await expectAccessible(page, ['light'])
})

test('a key that was typed is for all forms of the tab; a missing petId is asked for; what a proxy responds is shown as it came', async () => {
  const page = await app.open('/docs')
  for (const id of ['listPets', 'getPet']) await page.locator(`#${id} .try > summary`).click()
  const list = page.getByRole('form', { name: 'Try it: List all animals' })
  const get = page.getByRole('form', { name: 'Try it: Get an animal' })
  expect(await page.locator('[name=key]:not([type=password])').count()).toBe(0)
  await list.getByLabel('limit').fill('1')
  await list.getByLabel('API key').fill(API_KEY)
  await page.keyboard.press('Enter')
  await list.getByText('Response 200.').waitFor()
  await page.keyboard.press('Enter')
  await list.getByText('Response 200.', { exact: true }).waitFor()
  expect(await get.getByLabel('API key').inputValue()).toBe(API_KEY)
  await get.getByLabel('petId').fill(' ')
  await get.getByRole('button', { name: 'Send' }).click()
  await get.getByText('Enter petId first.').waitFor()
  await get.locator('[name=petId]:focus').waitFor()
  expect(await page.locator('#getPet .try-response').isVisible()).toBe(false)
  await get.getByLabel('petId').fill('9223372036854775807')
  await page.keyboard.press('Enter')
  await get.getByText('Response 404.').waitFor()
  expect(await page.locator('#getPet').innerText()).toContain('/v1/pets/9223372036854775807')
  expect(await page.locator('body').innerText()).not.toContain(API_KEY)
  for (const [status, body, shown] of [
    [500, '[{"n":-1.50e+3}]', '[\n  {\n    "n": -1.50e+3\n  }\n]'],
    [502, '<p>502 "Bad" Gateway</p>', '<p>502 "Bad" Gateway</p>'],
  ] as const) {
    await page.route('**/v1/pets?limit=1', route => route.fulfill({ status, body }), { times: 1 })
    await list.getByLabel('API key').press('Enter')
    await list.getByText(`Response ${status}.`).waitFor()
    expect(await page.locator('#listPets').getByLabel('The body of the response').innerText()).toBe(shown)
  }
  await page.route('**/v1/pets?limit=1', route => route.abort(), { times: 1 })
  await list.getByLabel('API key').press('Enter')
  await list.getByText('No response.').waitFor()
  expect(await page.locator('#listPets').getByLabel('The body of the response').isVisible()).toBe(false)
})

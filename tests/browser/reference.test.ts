import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { ERROR_CODES } from '../../src/contract/errors.ts'
import { expectAccessible } from '../support/browser/accessibility.ts'
import { withConsole } from '../support/browser/browser.ts'
import { petJson } from '../support/http/exact.ts'
import { needs } from '../support/programs/needs.ts'
import { API_KEY } from '../support/service/service.ts'

const suite = needs('chromium', 'curl')
const { describe, test } = suite

const app = withConsole(suite)

async function openReference(path = '/docs', options = {}): Promise<Page> {
  const page = await app.open(path, options)
  await page.getByRole('heading', { name: 'List all animals' }).waitFor()
  return page
}

describe('the reference', () => {
  test('shows every operation, every error code with its meaning, and numbers to the last digit', async () => {
    const page = await openReference()
    const text = await page.locator('main').innerText()
    for (const expected of ['List all animals', 'Add an animal', 'Get an animal', '9223372036854775807'])
      expect(text).toContain(expected)
    for (const code of ERROR_CODES) expect(text).toContain(code)
    expect(text).toContain('The storage cannot answer, too many writes are waiting')
    // Its colours are the same in both.
    await expectAccessible(page, ['dark'])
  })

  test('is where the link of a deprecated answer leads: to the section with the day of removal', async () => {
    const link = (await app.service().fetch('/v1/pets/1')).link('deprecation')
    expect(link).toBe('/docs#section/Deprecation')
    const page = await openReference(link)
    await page.waitForFunction(
      'Math.abs(document.getElementById("section/Deprecation").getBoundingClientRect().top) < 200',
    )
    expect(await page.locator('main').innerText()).toContain('announced for removal on 5 December 2030')
    await page.getByText('Deprecated', { exact: true }).first().waitFor()
  })

  test('has examples that work when pasted', async () => {
    await app.service().post(petJson({}))
    const page = await openReference()
    await page.getByRole('tab', { name: 'curl' }).nth(1).click()
    const examples = (await page.locator('pre', { hasText: 'curl' }).allInnerTexts()).toSorted()
    expect(examples).toHaveLength(3)
    const answers = []
    for (const example of examples) {
      const shell = Bun.spawn(['sh', '-c', `${example} -s -o /dev/null -w '%{http_code}'`], {
        env: { ...process.env, PETSTORE_API_KEY: API_KEY },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      answers.push(await shell.stdout.text())
    }
    expect(answers.toSorted()).toEqual(['200', '200', '201'])
  })

  test('sends no request of its own making: no button there could round a number', async () => {
    const page = await openReference()
    expect(await page.getByRole('button', { name: /^(try|send|execute)\b(?!-)/i }).count()).toBe(0)
  })

  test('can be read on a screen 360 pixels wide', async () => {
    const page = await openReference('/docs', { viewport: { width: 360, height: 640 } })
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')).toBe(false)
  })
})

test('the policy of the reference is wider for style and small pictures alone', async () => {
  const { headers } = await fetch(`${app.service().url}/docs`)
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self';")
  expect(policy).toContain("style-src 'self' 'unsafe-inline';")
  expect(policy).not.toMatch(/unsafe-eval|https?:|\*|blob:/)
})

import { expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { withConsole } from '../../support/browser/browser.ts'
import { pickFromMenu } from '../../support/browser/menu.ts'
import { petJson } from '../../support/http.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY } from '../../support/service.ts'

const suite = needs('chromium', 'curl')
const { beforeAll, describe, test } = suite

const app = withConsole(suite)
beforeAll(async () => void (await app.service().post(petJson({ name: 'Rex' }))))

/** Pastes the text from the page into a real shell. */
async function paste(command: string): Promise<string> {
  const shell = Bun.spawn(['sh', '-c', command], {
    env: { ...process.env, PETSTORE_API_KEY: API_KEY },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  return shell.stdout.text()
}

const curlOf = (page: Page, within: string): Promise<string> =>
  page.locator(`${within} section[aria-label="The request as curl"] pre`).innerText()

describe('who asks for it sees the request that a view made', () => {
  test('a list: as curl that gives the same, with status, request id and headers', async () => {
    const page = await app.openSignedIn()
    await page.getByText('Rex').waitFor()
    expect(await page.locator('.exchange').count()).toBe(0)
    await pickFromMenu(page, 'Show request details')
    await page.locator('.exchange summary').click()
    const curl = await curlOf(page, 'main')
    expect(curl).not.toContain(API_KEY)
    expect(await paste(curl)).toBe((await app.service().fetch('/v1/pets?limit=100')).text)
    const answer = await page.getByRole('region', { name: 'The response' }).innerText()
    expect(answer).toMatch(/Status\s+200/)
    expect(answer).toMatch(/ETag\s+"/)
    const [, requestId = ''] = /X-Request-Id\s+(\S+)/.exec(answer) ?? []
    expect(app.service().output.text).toContain(`"requestId":"${requestId}"`)
  })

  test('an addition: as curl that a shell takes as it is, whatever the name holds', async () => {
    const page = await app.openSignedIn()
    await pickFromMenu(page, 'Show request details')
    const name = `O'Malley "$HOME" \`id\` \\ {}`
    await page.getByRole('button', { name: 'Add animal', exact: true }).click()
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByLabel('Category', { exact: true }).fill('9223372036854775807')
    await page.getByRole('button', { name: 'Add and start another' }).click()
    await page.getByRole('dialog').getByText('was added with ID').waitFor()
    await page.locator('dialog .exchange summary').click()
    const repeated = await paste(await curlOf(page, 'dialog'))
    expect(JSON.parse(repeated)).toMatchObject({ name })
    expect(repeated).toContain('9223372036854775807')
    expect((await app.service().fetch('/v1/pets')).pets.filter(pet => pet.name === name)).toHaveLength(1)
  })
})

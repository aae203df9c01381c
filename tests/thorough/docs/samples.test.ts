import { expect } from 'bun:test'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { browserTests, CLIPBOARD, clipboardOf } from '../../support/browser/browser.ts'
import { freshFolder } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY } from '../../support/service.ts'

const { beforeAll, test, withConsole } = browserTests()

const ANIMALS = 120
const TSC = join(import.meta.dir, '../../../node_modules/typescript-7/bin/tsc')
const COMMANDS = {
  curl: ['sample.sh', 'sh', '-e'],
  typescript: ['sample.mjs', 'node'],
  python: ['sample.py', 'python3', '-W', 'error'],
  go: ['sample.go', 'go', 'run'],
} as const
const PROGRAMS = { curl: 'curl', typescript: 'node', python: 'python3', go: 'go' } as const
type Language = keyof typeof COMMANDS
const LANGUAGES = Object.keys(COMMANDS) as Language[]
/** What each sample prints, in every language. */
const PRINTED = {
  listPets: /Animal 0/,
  createPet: /available|"id":/,
  getPet: /Animal 0\D+9223372036854775807/,
  pages: /Animal 0[\s\S]*Animal 119/,
  repeats: /true/i,
  errors: /invalid_query/,
} as const

const app = withConsole()
/** An empty folder of somebody who has the address of the reference and nothing else. */
let folder: string
let installLine: string
beforeAll(async () => {
  folder = await freshFolder()
  for (let n = 0; n < ANIMALS; n++) await app.add({ name: `Animal ${n}`, categoryId: 9223372036854775807n })
  const page = await app.open('/docs', { javaScriptEnabled: false })
  installLine = withAddress(await page.locator('[data-topic=install] pre').textContent())
  await run(['sh', '-c', `${installLine} --no-audit --no-fund`])
})

async function run(command: readonly string[]): Promise<string> {
  const env = { ...process.env, PETSTORE_API_KEY: API_KEY }
  const child = Bun.spawn([...command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ command, err, code }).toEqual({ command, err: code === 0 ? err : '', code: 0 })
  return out
}

const textOf = (page: Page, topic: string, language: string) =>
  page.locator(`[data-topic=${topic}] pre${language && `[data-language=${language}]`}`).textContent()

/** Without JavaScript, the samples have the default address, because this service has none configured. */
const withAddress = (text: string | null): string =>
  text?.replaceAll('http://127.0.0.1:8080', app.service().url) ?? ''

test('the install line installs the client into an empty folder', async () => {
  expect(installLine).toBe(`curl -O ${app.service().url}/client.tgz &&\n  npm install ./client.tgz`)
  expect(await Bun.file(join(folder, 'node_modules/@petstore/client/package.json')).exists()).toBe(true)
})

for (const language of LANGUAGES) {
  const { test } = needs('chromium', PROGRAMS[language])

  test(`the samples in ${language} run as they are copied, and read the same without JavaScript`, async () => {
    const [file, ...program] = COMMANDS[language]
    const plain = await app.open('/docs', { javaScriptEnabled: false })
    const page = await app.open('/docs', CLIPBOARD)
    await page.evaluate(`localStorage.setItem('petstore-reference-language', '${language}')`)
    await page.reload()
    for (const [topic, printed] of Object.entries(PRINTED)) {
      const sample = page.locator(`[data-topic=${topic}]`)
      await sample.getByRole('button', { name: 'Copy' }).click()
      await sample.getByText('Copied').waitFor()
      const copied = await clipboardOf(page)
      expect(withAddress(await textOf(plain, topic, language))).toBe(copied)
      await Bun.write(join(folder, file), copied)
      expect([topic, await run([...program, file])]).toEqual([topic, expect.stringMatching(printed)])
    }
  })
}

test('the samples in TypeScript are typed by the installed client, by the strictest rules', async () => {
  const page = await app.open('/docs')
  const files = Object.keys(PRINTED).map(topic => `${topic}.mts`)
  for (const topic of Object.keys(PRINTED))
    await Bun.write(join(folder, `${topic}.mts`), (await textOf(page, topic, 'typescript')) ?? '')
  await Bun.write(
    join(folder, 'node.d.ts'),
    'declare const process: { readonly env: Partial<Record<string, string>> }',
  )
  const rules = '--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --module nodenext'
  await run([TSC, ...rules.split(' '), ...files, 'node.d.ts'])
})

import { expect } from 'bun:test'
import { join } from 'node:path'
import { BASE } from '../../../web/document.ts'
import { LANGUAGES, type LanguageId, type Topic } from '../../../web/reference/samples.ts'
import { freshFolder } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'
import { API_KEY, type Service, startService } from '../../support/service.ts'

// That the page shows and copies these samples, as they are, is known to the fast tests.
const { beforeAll, afterAll, test } = needs('curl')

const ANIMALS = 120
const TSC = join(import.meta.dir, '../../../node_modules/typescript-7/bin/tsc')
const COMMANDS: Readonly<Record<LanguageId, readonly [file: string, ...command: string[]]>> = {
  curl: ['sample.sh', 'sh', '-e'],
  typescript: ['sample.mjs', 'node'],
  python: ['sample.py', 'python3', '-W', 'error'],
  go: ['sample.go', 'go', 'run'],
}
/** What each sample prints, in every language. */
const PRINTED: Readonly<Record<Topic, RegExp>> = {
  listPets: /Animal 0/,
  createPet: /available|"id":/,
  getPet: /Animal 0\D+9223372036854775807/,
  pages: /Animal 0[\s\S]*Animal 119/,
  repeats: /true/i,
  errors: /invalid_query/,
}
const TOPICS = Object.keys(PRINTED) as Topic[]

let service: Service
/** An empty folder of somebody who has the address of the reference and nothing else. */
let folder: string
beforeAll(async () => {
  service = await startService()
  folder = await freshFolder()
  for (let n = 0; n < ANIMALS; n++)
    await service.add({ name: `Animal ${n}`, categoryId: 9223372036854775807n })
  const page = await (await fetch(`${service.url}/docs`)).text()
  const [, line = ''] = /data-topic="install".*?<code>(.*?)<\/code>/s.exec(page) ?? []
  const installLine = line.replaceAll(/<[^>]*>/g, '').replaceAll('&amp;', '&')
  await run(['sh', '-c', `${installLine} --no-audit --no-fund`])
})
afterAll(() => service.discard())

async function run(command: readonly string[]): Promise<string> {
  const env = { ...process.env, PETSTORE_API_KEY: API_KEY }
  const child = Bun.spawn([...command], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  expect({ command, err, code }).toEqual({ command, err: code === 0 ? err : '', code: 0 })
  return out
}

const sampleOf = (language: LanguageId, topic: Topic): string =>
  LANGUAGES[language].samples[topic].replaceAll(BASE, `${service.url}/v1`)

test('the install line installs the client into an empty folder', async () => {
  expect(await Bun.file(join(folder, 'node_modules/@petstore/client/package.json')).exists()).toBe(true)
})

for (const [language, [file, ...command]] of Object.entries(COMMANDS)) {
  const { test } = needs('curl', command[0] ?? '')
  test(`the samples in ${language} run as they are copied`, async () => {
    for (const topic of TOPICS) {
      await Bun.write(join(folder, file), sampleOf(language as LanguageId, topic))
      expect([topic, await run([...command, file])]).toEqual([topic, expect.stringMatching(PRINTED[topic])])
    }
  })
}

test('the samples in TypeScript are typed by the installed client, by the strictest rules', async () => {
  const files = TOPICS.map(topic => `${topic}.mts`)
  for (const topic of TOPICS) await Bun.write(join(folder, `${topic}.mts`), sampleOf('typescript', topic))
  await Bun.write(
    join(folder, 'node.d.ts'),
    'declare const process: { readonly env: Partial<Record<string, string>> }',
  )
  const rules = '--noEmit --strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --module nodenext'
  await run([TSC, ...rules.split(' '), ...files, 'node.d.ts'])
})

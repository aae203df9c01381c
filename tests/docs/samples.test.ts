import { expect } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../scripts/command.ts'
import { petJson } from '../support/http/exact.ts'
import { needs } from '../support/programs/needs.ts'
import { program } from '../support/programs/program.ts'
import { freshFolder, freshSqliteUrl } from '../support/service/folder.ts'
import { API_KEY, type Service, startService } from '../support/service/service.ts'

const suite = needs('curl', 'python3')
const { afterAll, beforeAll, test } = suite

type Sample = { readonly topic: string; readonly language: string; text: string }

let service: Service
let folder: string
let samples: Sample[]

beforeAll(async () => {
  service = await startService({ databaseUrl: await freshSqliteUrl() })
  for (let n = 0; n < 120; n++) await service.post(petJson({ name: `Animal ${n}` }))
  folder = await freshFolder()
  samples = await samplesOf(`${service.url}/docs`)
  // The client is the one of this repository.
  const paths = { '@petstore/client': [join(ROOT, 'client/src/index.ts')] }
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }))
})
afterAll(async () => expect(await service.stop()).toBe(0))

/** The samples of the page as a reader copies them; the page itself puts in the address of an unconfigured service. */
async function samplesOf(url: string): Promise<Sample[]> {
  const found: Sample[] = []
  let topic = ''
  await new HTMLRewriter()
    .on('figure[data-topic]', {
      element: figure => {
        topic = figure.getAttribute('data-topic') ?? ''
      },
    })
    .on('figure[data-topic] pre', {
      element: pre => void found.push({ topic, language: pre.getAttribute('data-language') ?? '', text: '' }),
      text: chunk => {
        const sample = found.at(-1)
        if (sample) sample.text += chunk.text
      },
    })
    .transform(await fetch(url))
    .text()
  return found.map(sample => ({ ...sample, text: plain(sample.text) }))
}

const plain = (markup: string): string =>
  markup
    .replaceAll('http://127.0.0.1:8080/v1', `${service.url}/v1`)
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

async function run(command: readonly string[]): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: folder,
    env: { ...process.env, PETSTORE_API_KEY: API_KEY, GOFLAGS: '-mod=mod' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err}`)
  return out
}

const EXPECTED: Readonly<Record<string, RegExp>> = {
  listPets: /Animal 0/,
  createPet: /available|"id":/,
  getPet: /Animal 0/,
  pages: /Animal 0[\s\S]*Animal 119/,
  repeats: /true/i,
  errors: /invalid_query/,
}

async function runAll(language: string, file: string, command: (path: string) => string[]): Promise<void> {
  const found = samples.filter(sample => sample.language === language)
  expect(found.map(({ topic }) => topic).toSorted()).toEqual(Object.keys(EXPECTED).toSorted())
  for (const { topic, text } of found) {
    const path = join(folder, language, topic, file)
    await mkdir(join(path, '..'), { recursive: true })
    await Bun.write(path, text)
    expect([topic, await run(command(path))]).toEqual([
      topic,
      expect.stringMatching(EXPECTED[topic] ?? /never/),
    ])
  }
}

test('the samples in curl run as they are copied', () =>
  runAll('curl', 'sample.sh', path => ['sh', '-e', path]))

test('the samples in TypeScript run as they are copied', () =>
  runAll('typescript', 'sample.ts', path => [process.execPath, path]))

test('the samples in Python run as they are copied', () =>
  runAll('python', 'sample.py', path => [program('python3'), path]))

// Its standard library is compiled first, which takes most of the time.
needs('go').test(
  'the samples in Go run as they are copied',
  () => runAll('go', 'main.go', path => [program('go'), 'run', path]),
  300_000,
)

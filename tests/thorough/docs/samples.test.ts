import { expect } from 'bun:test'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { needs } from '../../support/programs.ts'

const ROOT = join(import.meta.dir, '../../..')
const KEY = 'the-key-of-the-samples-0123456789'
const ADDRESS = 'http://127.0.0.1:8080/v1'
const ANIMALS = 120

const { afterAll, beforeAll, test } = needs('curl', 'python3')
const LANGUAGES: [string, string, string[]][] = [
  ['curl', 'sample.sh', ['sh', '-e']],
  ['typescript', 'sample.ts', [process.execPath]],
  ['python', 'sample.py', ['python3']],
]
/** What each sample prints, in every language. */
const PRINTED: [string, RegExp][] = [
  ['listPets', /Animal 0/],
  ['createPet', /available|"id":/],
  ['getPet', /Animal 0/],
  ['pages', /Animal 0[\s\S]*Animal 119/],
  ['repeats', /true/i],
  ['errors', /invalid_query/],
]

let folder: string
let service: Bun.Subprocess<'ignore', 'pipe', 'inherit'>
let url = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'petstore-samples-'))
  // The client of this repository.
  const paths = { '@petstore/client': [join(ROOT, 'client/src/index.ts')] }
  await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }))
  service = Bun.spawn([process.execPath, join(ROOT, 'src/main.ts'), 'serve', '--port=0'], {
    cwd: folder,
    env: { PATH: process.env.PATH, PETSTORE_API_KEY: KEY, LOG_FORMAT: 'json' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  for await (const chunk of service.stdout.pipeThrough(new TextDecoderStream())) {
    url = /"url":"(http[^"]+?)\/?"/.exec(chunk)?.[1] ?? ''
    if (url !== '') break
  }
  for (let n = 0; n < ANIMALS; n++)
    await fetch(`${url}/v1/pets`, {
      method: 'POST',
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: `Animal ${n}`, categoryId: 7 }),
    })
})
afterAll(() => service.kill())

test.each(LANGUAGES)('the samples in %s run as they are copied', async (language, file, command) => {
  for (const [topic, printed] of PRINTED) {
    const path = join(folder, language, topic, file)
    await mkdir(dirname(path), { recursive: true })
    await Bun.write(path, (await sampleOf(topic, language)).replaceAll(ADDRESS, `${url}/v1`))
    const env = { ...process.env, PETSTORE_API_KEY: KEY }
    const child = Bun.spawn([...command, path], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
    const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
    expect({ topic, out, err }).toEqual({
      topic,
      out: expect.stringMatching(printed),
      err: expect.anything(),
    })
    expect(await child.exited).toBe(0)
  }
})

async function sampleOf(topic: string, language: string): Promise<string> {
  let text = ''
  await new HTMLRewriter()
    .on(`figure[data-topic="${topic}"] pre[data-language="${language}"]`, {
      text: chunk => {
        text += chunk.text
      },
    })
    .transform(await fetch(`${url}/docs`))
    .text()
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
}

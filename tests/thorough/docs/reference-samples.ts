import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { ROOT } from '../../../scripts/command.ts'
import { petJson } from '../../support/http/exact.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { API_KEY } from '../../support/service/service.ts'
import type { ServiceProcess } from '../../support/service/service-process.ts'

interface Sample {
  readonly topic: string
  readonly language: string
  text: string
}

const ANIMALS = 120
/** What each sample prints, in every language. */
const PRINTED: Readonly<Record<string, RegExp>> = {
  listPets: /Animal 0/,
  createPet: /available|"id":/,
  getPet: /Animal 0/,
  pages: /Animal 0[\s\S]*Animal 119/,
  repeats: /true/i,
  errors: /invalid_query/,
}

/** The samples of the reference as a reader copies them, and a store to run them against. */
export class ReferenceSamples {
  readonly #folder: string
  readonly #samples: readonly Sample[]

  private constructor(folder: string, samples: readonly Sample[]) {
    this.#folder = folder
    this.#samples = samples
  }

  static async of(service: ServiceProcess): Promise<ReferenceSamples> {
    for (let n = 0; n < ANIMALS; n++) await service.post(petJson({ name: `Animal ${n}` }))
    const folder = await freshFolder()
    // Uses the client of this repository.
    const paths = { '@petstore/client': [join(ROOT, 'client/src/index.ts')] }
    await Bun.write(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { paths } }))
    return new ReferenceSamples(folder, await readSamples(service.url))
  }

  /** Runs the samples of one language, each from a file of that name. Throws the output of the first that fails. */
  async run(language: string, file: string, command: (path: string) => string[]): Promise<void> {
    const found = this.#samples.filter(sample => sample.language === language)
    const topics = found.map(({ topic }) => topic).toSorted()
    if (!Bun.deepEquals(topics, Object.keys(PRINTED).toSorted()))
      throw new Error(`The samples in ${language} are ${topics.join(', ')}.`)
    for (const { topic, text } of found) {
      const path = join(this.#folder, language, topic, file)
      await mkdir(join(path, '..'), { recursive: true })
      await Bun.write(path, text)
      const printed = await this.#output(command(path))
      if (!PRINTED[topic]?.test(printed)) throw new Error(`${topic} in ${language} printed ${printed}`)
    }
  }

  async #output(command: readonly string[]): Promise<string> {
    const child = Bun.spawn([...command], {
      cwd: this.#folder,
      env: { ...process.env, PETSTORE_API_KEY: API_KEY, GOFLAGS: '-mod=mod' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    if (code !== 0) throw new Error(`${command.join(' ')} ended with ${code}: ${err}`)
    return out
  }
}

/** Reads the samples and inserts the address of the service, as the page does. */
async function readSamples(url: string): Promise<Sample[]> {
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
    .transform(await fetch(`${url}/docs`))
    .text()
  return found.map(sample => ({
    ...sample,
    text: plain(sample.text).replaceAll('http://127.0.0.1:8080/v1', `${url}/v1`),
  }))
}

const plain = (markup: string): string =>
  markup.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')

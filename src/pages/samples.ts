import curl from './samples/curl.txt' with { type: 'text' }
import go from './samples/go.txt' with { type: 'text' }
import python from './samples/python.txt' with { type: 'text' }
import typescript from './samples/typescript.txt' with { type: 'text' }

/** Topics with samples: each operation, and tasks that take more than one request. */
export type Topic = 'listPets' | 'createPet' | 'getPet' | 'pages' | 'repeats' | 'errors'

/** One language's programs. Each is complete: it runs as it is pasted, and needs no library but our client. */
type Samples = Readonly<Record<Topic, string>>

export interface Language {
  readonly name: string
  readonly samples: Samples
  /** How a program in this language reads the key from its environment. */
  readonly key: string
}

/** Stand for the base URL, the service's URL and the key, in the files of samples and until a page is made. */
export const BASE = '{{base}}'
export const SITE = '{{site}}'
export const KEY = '{{key}}'

export const LANGUAGES = {
  curl: { name: 'curl', samples: samplesIn(curl), key: '$PETSTORE_API_KEY' },
  typescript: { name: 'TypeScript', samples: samplesIn(typescript), key: 'process.env.PETSTORE_API_KEY' },
  python: { name: 'Python', samples: samplesIn(python), key: 'os.environ["PETSTORE_API_KEY"]' },
  // Every program uses `os` beside its key: with a reader's own key in its place, Go would refuse the unused import.
  go: { name: 'Go', samples: samplesIn(go), key: 'os.Getenv("PETSTORE_API_KEY")' },
} as const satisfies Record<string, Language>

export type LanguageId = keyof typeof LANGUAGES

/** A line such as `----- listPets` begins the section of a topic. */
function samplesIn(file: string): Samples {
  const [, ...sections] = file.split(/^-{5} /m)
  const named = sections.map(section => {
    const [topic = '', ...lines] = section.trimEnd().split('\n')
    return [topic, lines.join('\n')]
  })
  return Object.fromEntries(named) as Samples
}

import curl from './samples/curl.txt' with { type: 'text' }
import go from './samples/go.txt' with { type: 'text' }
import python from './samples/python.txt' with { type: 'text' }
import typescript from './samples/typescript.txt' with { type: 'text' }

/** Topics with samples: each operation, and tasks that take more than one request. */
export type Topic = 'listPets' | 'createPet' | 'getPet' | 'pages' | 'repeats' | 'errors'

/** One language's programs. Each is complete: it runs as it is pasted, and needs no library but our client. */
type Samples = Readonly<Record<Topic, string>>

export const LANGUAGES = {
  curl: { name: 'curl', samples: samplesIn(curl) },
  typescript: { name: 'TypeScript', samples: samplesIn(typescript) },
  python: { name: 'Python', samples: samplesIn(python) },
  go: { name: 'Go', samples: samplesIn(go) },
} as const satisfies Record<string, { name: string; samples: Samples }>

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

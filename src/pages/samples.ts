import { curl } from './samples/curl.ts'
import { go } from './samples/go.ts'
import { python } from './samples/python.ts'
import { BASE, KEY, type Samples, type Topic } from './samples/topics.ts'
import { typescript } from './samples/typescript.ts'

export interface Language {
  readonly name: string
  readonly samples: Samples
  /** How a program in this language reads the key from its environment. */
  readonly key: string
}

export const LANGUAGES = {
  curl: { name: 'curl', samples: curl, key: '$PETSTORE_API_KEY' },
  typescript: { name: 'TypeScript', samples: typescript, key: 'process.env.PETSTORE_API_KEY' },
  python: { name: 'Python', samples: python, key: 'os.environ["PETSTORE_API_KEY"]' },
  go: { name: 'Go', samples: go, key: 'os.Getenv("PETSTORE_API_KEY")' },
} as const satisfies Record<string, Language>

export type LanguageId = keyof typeof LANGUAGES

/** A sample as plain text, ready to paste. */
export const sampleText = (language: LanguageId, topic: Topic, baseUrl: string): string =>
  LANGUAGES[language].samples[topic].replaceAll(BASE, baseUrl).replaceAll(KEY, () => LANGUAGES[language].key)

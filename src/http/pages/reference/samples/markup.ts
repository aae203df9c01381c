import { escapeHtml, html, Markup } from '../markup.ts'
import { curl } from './curl.ts'
import { go } from './go.ts'
import { highlighted, type Language } from './highlight.ts'
import { python } from './python.ts'
import { BASE, KEY, type Samples, type Topic } from './topics.ts'
import { typescript } from './typescript.ts'

/** Where the service is, and whether its operator said so: if not, the page puts in the address that it was read from. */
export interface SampleTarget {
  readonly baseUrl: string
  readonly isConfigured: boolean
}

interface Shown {
  readonly language: Language
  readonly name: string
  readonly samples: Samples
  /** How a program of this language takes the key from its environment. */
  readonly key: string
  /** What is put in its place for a reader who is signed in: the key as it is, or a literal of the language. */
  readonly keyForm: 'shell' | 'literal'
}

export const LANGUAGES: readonly Shown[] = [
  { language: 'curl', name: 'curl', samples: curl, key: '$PETSTORE_API_KEY', keyForm: 'shell' },
  {
    language: 'typescript',
    name: 'TypeScript',
    samples: typescript,
    key: 'process.env.PETSTORE_API_KEY',
    keyForm: 'literal',
  },
  {
    language: 'python',
    name: 'Python',
    samples: python,
    key: 'os.environ["PETSTORE_API_KEY"]',
    keyForm: 'literal',
  },
  { language: 'go', name: 'Go', samples: go, key: 'os.Getenv("PETSTORE_API_KEY")', keyForm: 'literal' },
]

export function samplesOf(topic: Topic, label: string, place: SampleTarget): Markup {
  return html`<figure class="sample" data-topic="${topic}">
<figcaption class="sample-head"><span class="languages" role="group" aria-label="Language">${LANGUAGES.map(
    ({ language, name }) =>
      html`<button type="button" class="language" data-choose="${language}" aria-pressed="${String(language === 'curl')}">${name}</button>`,
  )}</span><button type="button" class="copy" aria-label="Copy this sample">Copy</button></figcaption>
${LANGUAGES.map(
  shown =>
    html`<pre tabindex="0" data-language="${shown.language}" aria-label="${label} in ${shown.name}"><code>${code(shown, topic, place)}</code></pre>`,
)}
</figure>`
}

function code(
  { language, samples, key, keyForm }: Shown,
  topic: Topic,
  { baseUrl, isConfigured }: SampleTarget,
): Markup {
  const base = `<span${isConfigured ? '' : ' data-base'}>${escapeHtml(baseUrl)}</span>`
  const secret = `<span data-key="${keyForm}">${escapeHtml(key)}</span>`
  return new Markup(highlighted(language, samples[topic]).replaceAll(BASE, base).replaceAll(KEY, secret))
}

import { escapeHtml, html, Markup } from './markup.ts'
import { BASE, KEY, type Language, SAMPLES, type Topic } from './sample-code.ts'

/** Where the service is, and whether its operator said so: if not, the page puts in the address that it was read from. */
export interface SampleTarget {
  readonly baseUrl: string
  readonly isConfigured: boolean
}

interface Shown {
  readonly language: Language
  readonly name: string
  /** How a program of this language takes the key from its environment. */
  readonly key: string
  /** What is put in its place for a reader who is signed in: the key as it is, or a literal of the language. */
  readonly keyForm: 'shell' | 'literal'
}

export const LANGUAGES: readonly [Shown, ...Shown[]] = [
  { language: 'curl', name: 'curl', key: '$PETSTORE_API_KEY', keyForm: 'shell' },
  {
    language: 'typescript',
    name: 'TypeScript',
    key: 'process.env.PETSTORE_API_KEY',
    keyForm: 'literal',
  },
  {
    language: 'python',
    name: 'Python',
    key: 'os.environ["PETSTORE_API_KEY"]',
    keyForm: 'literal',
  },
  { language: 'go', name: 'Go', key: 'os.Getenv("PETSTORE_API_KEY")', keyForm: 'literal' },
]

export function samplesOf(topic: Topic, label: string, place: SampleTarget): Markup {
  return html`<figure class="sample card" data-topic="${topic}">
<figcaption class="sample-head row spread"><span class="languages" role="group" aria-label="Language">${LANGUAGES.map(
    ({ language, name }) =>
      html`<button type="button" class="language" data-choose="${language}" aria-pressed="${String(language === 'curl')}">${name}</button>`,
  )}</span><button type="button" class="copy" aria-label="Copy this sample">Copy</button></figcaption>
${LANGUAGES.map(
  shown =>
    html`<pre tabindex="0" data-language="${shown.language}" aria-label="${label} in ${shown.name}"><code>${code(shown, SAMPLES[shown.language][topic], place)}</code></pre>`,
)}
</figure>`
}

/** The smallest request that works, for a reader who has just come. */
export const firstRequest = (place: SampleTarget): Markup => {
  const [curl] = LANGUAGES
  const text = `curl '${BASE}/pets' \\\n  -H "Authorization: Bearer ${KEY}"`
  return html`<figure class="sample card" data-topic="start">
<figcaption class="sample-head row spread"><span>The first request</span> <button type="button" class="copy" aria-label="Copy this sample">Copy</button></figcaption>
<pre tabindex="0" aria-label="The first request"><code>${code(curl, text, place)}</code></pre>
</figure>`
}

function code(
  { language, key, keyForm }: Shown,
  text: string,
  { baseUrl, isConfigured }: SampleTarget,
): Markup {
  const base = `<span${isConfigured ? '' : ' data-base'}>${escapeHtml(baseUrl)}</span>`
  const secret = `<span data-key="${keyForm}">${escapeHtml(key)}</span>`
  return new Markup(highlighted(language, text).replaceAll(BASE, base).replaceAll(KEY, secret))
}

const WORDS: Readonly<Record<Language, string>> = {
  curl: 'curl|while|do|done|for|in|case|esac|echo|rm',
  typescript: 'import|from|const|new|await|for|of|try|catch|if|throw|instanceof',
  python: 'import|with|as|for|in|while|try|except|and|print',
  go: 'package|import|func|var|struct|if|for|defer|break|nil|range',
}

/** Comments, texts, words of the language: enough colour to find one's way. */
function highlighted(language: Language, code: string): string {
  const comment = language === 'typescript' || language === 'go' ? '(?<!:)//[^\\n]*' : '(?<=^|\\s)#[^\\n]*'
  const string = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/.source
  const token = new RegExp(`(${comment})|(${string})|\\b(${WORDS[language]})\\b`, 'gm')
  let markup = ''
  let end = 0
  for (const found of code.matchAll(token)) {
    const kind = found[1] ? 'comment' : found[2] ? 'text' : 'word'
    markup += `${escapeHtml(code.slice(end, found.index))}<span class="t-${kind}">${escapeHtml(found[0])}</span>`
    end = found.index + found[0].length
  }
  return markup + escapeHtml(code.slice(end))
}

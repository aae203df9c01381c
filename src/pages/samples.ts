import { PETS_PATH, VERSION_PREFIX } from '../contract/servers.ts'
import { escapeHtml, html, Markup } from './markup.ts'

/** Topics with samples: each operation, and tasks that take more than one request. */
export type Topic = 'listPets' | 'createPet' | 'getPet' | 'pages' | 'repeats' | 'errors'
type Samples = Readonly<Record<Topic, string>>

/** Placeholders for the base URL, the service's URL and the key, in characters that no program contains. */
export const BASE = '\uE000'
export const SITE = '\uE001'
const KEY = '\uE002'

const LIST = `${PETS_PATH}?limit=20&status=available`
const WRONG = `${PETS_PATH}?limit=0`
const NEW_PET = '{"name":"Rex","categoryId":7}'

const CURL_KEY = `-H "Authorization: Bearer ${KEY}"`
const CURL_BODY = `-H 'Content-Type: application/json' -d '${NEW_PET}'`
const curlOf = (path: string, ...more: string[]): string =>
  [`curl -i '${BASE}${path}'`, CURL_KEY, ...more].join(' \\\n  ')

const curl: Samples = {
  listPets: curlOf(LIST),
  createPet: curlOf(PETS_PATH, CURL_BODY),
  getPet: curlOf(`${PETS_PATH}/1`),
  errors: curlOf(WRONG),
  pages: `base='${BASE}'
head=$(mktemp)
next="$base${PETS_PATH}?limit=100"
while [ -n "$next" ]; do
  curl -sS -D "$head" "$next" \\
    ${CURL_KEY}
  echo
  next=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' "$head")
  # A service without a configured base URL links by path.
  case $next in /*) next="\${base%${VERSION_PREFIX}}$next" ;; esac
done
rm "$head"`,
  repeats: `key="add-rex-$(date +%s)-$$"
# The second response has Idempotent-Replayed: true and the same id.
for attempt in 1 2; do
  curl -i '${BASE}${PETS_PATH}' ${CURL_KEY} \\
    -H "Idempotency-Key: $key" \\
    ${CURL_BODY}
done`,
}

const typescriptOf = (code: string, imports = 'Petstore'): string =>
  `import { ${imports} } from '@petstore/client'

const store = new Petstore({ baseUrl: '${BASE}', apiKey: ${KEY} })
${code}`

const typescript: Samples = {
  listPets: typescriptOf(`const page = await store.pets.list({ limit: 20, status: 'available' })
for (const pet of page.items) console.log(pet.id, pet.name)`),
  createPet: typescriptOf(`const pet = await store.pets.create({ name: 'Rex', categoryId: 7 })
console.log(pet.id, pet.status)`),
  getPet: typescriptOf(`const pet = await store.pets.get(1)
console.log(pet.name)`),
  pages: typescriptOf(`// Fetches the next page when it is needed.
for await (const pet of store.pets.list()) console.log(pet.id, pet.name)`),
  repeats:
    typescriptOf(`// The client sends its own key with every create. Pass yours to retry after a restart.
const idempotencyKey = crypto.randomUUID()
const first = await store.pets.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey })
const again = await store.pets.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey })
console.log(first.id === again.id)`),
  errors: typescriptOf(
    `try {
  await store.pets.list({ limit: 0 })
} catch (error) {
  if (!(error instanceof PetstoreError)) throw error
  console.log(error.code, error.message)
}`,
    'Petstore, PetstoreError',
  ),
}

interface Language {
  readonly name: string
  readonly samples: Samples
  /** How a program in this language reads the key from its environment. */
  readonly key: string
}

const LANGUAGES = {
  curl: { name: 'curl', samples: curl, key: '$PETSTORE_API_KEY' },
  typescript: { name: 'TypeScript', samples: typescript, key: 'process.env.PETSTORE_API_KEY' },
} as const satisfies Record<string, Language>

/** A sample as plain text, ready to paste. */
export const sampleText = (language: keyof typeof LANGUAGES, topic: Topic, baseUrl: string): string =>
  LANGUAGES[language].samples[topic].replaceAll(BASE, baseUrl).replaceAll(KEY, () => LANGUAGES[language].key)

export function samplesOf(topic: Topic, label: string): Markup {
  const languages = Object.entries<Language>(LANGUAGES)
  const button = ([id, { name }]: [string, Language]): Markup =>
    html`<button type="button" class="language" data-choose="${id}" aria-pressed="${String(id === 'curl')}">${name}</button>`
  const sample = ([id, language]: [string, Language]): Markup =>
    html`<pre tabindex="0" data-language="${id}" aria-label="${label} in ${language.name}"><code>${codeMarkup(language.samples[topic], language)}</code></pre>`
  return html`<figure class="sample card" data-topic="${topic}">
<figcaption class="sample-head row spread small muted"><span class="languages" role="group" aria-label="Language">${languages.map(button)}</span><button type="button" class="copy" aria-label="Copy this sample">Copy</button></figcaption>
${languages.map(sample)}
</figure>`
}

/** A command to paste, for new readers. */
const startSample = (
  topic: string,
  title: string,
  text: string,
): Markup => html`<figure class="sample card" data-topic="${topic}">
<figcaption class="sample-head row spread small muted"><span>${title}</span> <button type="button" class="copy" aria-label="Copy this sample">Copy</button></figcaption>
<pre tabindex="0" aria-label="${title}"><code>${codeMarkup(text, LANGUAGES.curl)}</code></pre>
</figure>`

export const startSamples = (): readonly Markup[] => [
  startSample('start', 'The first request', `curl '${BASE}${PETS_PATH}' \\\n  ${CURL_KEY}`),
  startSample('install', 'The TypeScript client', `npm install ${SITE}/client.tgz`),
]

/** The key is marked, so that the page's script can insert the key of a reader who is signed in. */
const codeMarkup = (text: string, { key }: Language): Markup =>
  new Markup(escapeHtml(text).replaceAll(KEY, `<span data-key>${escapeHtml(key)}</span>`))

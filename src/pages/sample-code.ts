/** What there are samples for: each operation, and what takes more than one request. */
export type Topic = 'listPets' | 'createPet' | 'getPet' | 'pages' | 'repeats' | 'errors'
type Samples = Readonly<Record<Topic, string>>

/** In a sample, where the address of the service stands, and its key: characters that no program has. */
export const BASE = '\uE000'
export const KEY = '\uE001'

const LIST = '/pets?limit=20&status=available'
const WRONG = '/pets?limit=0'
const NEW_PET = '{"name":"Rex","categoryId":7}'

const CURL_KEY = `-H "Authorization: Bearer ${KEY}"`
const CURL_BODY = `-H 'Content-Type: application/json' -d '${NEW_PET}'`
const curlOf = (path: string, ...more: string[]): string =>
  [`curl -i '${BASE}${path}'`, CURL_KEY, ...more].join(' \\\n  ')

const curl: Samples = {
  listPets: curlOf(LIST),
  createPet: curlOf('/pets', CURL_BODY),
  getPet: curlOf('/pets/1'),
  errors: curlOf(WRONG),
  pages: `base='${BASE}'
head=$(mktemp)
next="$base/pets?limit=100"
while [ -n "$next" ]; do
  curl -sS -D "$head" "$next" \\
    ${CURL_KEY}
  echo
  next=$(sed -n 's/^[Ll]ink: <\\([^>]*\\)>; rel="next".*/\\1/p' "$head")
  # A service that has no address configured links by path.
  case $next in /*) next="\${base%/v1}$next" ;; esac
done
rm "$head"`,
  repeats: `key="add-rex-$(date +%s)-$$"
# The second answer has Idempotent-Replayed: true and the same id.
for attempt in 1 2; do
  curl -i '${BASE}/pets' ${CURL_KEY} \\
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
  pages: typescriptOf(`// Reads a page whenever the one before is used up.
for await (const pet of store.pets.list()) console.log(pet.id, pet.name)`),
  repeats:
    typescriptOf(`// The client sends its own key with every create. Pass yours to repeat one after a restart.
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

const pythonOf = (code: string, imports = 'json, os, urllib.request'): string => `import ${imports}

headers = {"Authorization": "Bearer " + ${KEY}}
${code}`
const PYTHON_BODY = `headers["Content-Type"] = "application/json"
body = json.dumps({"name": "Rex", "categoryId": 7}).encode()
`
const pythonRequest = (path: string, data = ''): string =>
  `request = urllib.request.Request("${BASE}${path}"${data}, headers=headers)`
const PYTHON_PRINT = `
with urllib.request.urlopen(request) as response:
    print(json.load(response))`

const python: Samples = {
  listPets: pythonOf(pythonRequest(LIST) + PYTHON_PRINT),
  createPet: pythonOf(PYTHON_BODY + pythonRequest('/pets', ', data=body') + PYTHON_PRINT),
  getPet: pythonOf(pythonRequest('/pets/1') + PYTHON_PRINT),
  pages: pythonOf(
    `url = "${BASE}/pets?limit=100"
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet["id"], pet["name"])
        link = re.search(r'<([^>]*)>; rel="next"', response.headers.get("Link", ""))
    url = link and urllib.parse.urljoin(url, link[1])`,
    'json, os, re, urllib.parse, urllib.request',
  ),
  repeats: pythonOf(
    `${PYTHON_BODY}headers["Idempotency-Key"] = str(uuid.uuid4())
for attempt in range(2):
    ${pythonRequest('/pets', ', data=body')}
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["id"], response.headers.get("Idempotent-Replayed"))`,
    'json, os, urllib.request, uuid',
  ),
  errors: pythonOf(
    `${pythonRequest(WRONG)}
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as failure:
    error = json.load(failure)
    print(error["status"], error["code"], error["message"])`,
    'json, os, urllib.error, urllib.request',
  ),
}

const indented = (lines: string): string => lines.replaceAll(/^(?=.)/gm, '\t')
const goOf = (body: string, ...imports: string[]): string => `package main

import (
${['io', 'log', 'net/http', 'os', ...imports]
  .toSorted()
  .map(name => `\t"${name}"\n`)
  .join('')})

func main() {
${indented(body)}
}`
const GO_CHECK = `if err != nil {
	log.Fatal(err)
}
`
const goRequest = (method: string, url: string, body = 'nil'): string =>
  `request, err := http.NewRequest("${method}", ${url}, ${body})
${GO_CHECK}request.Header.Set("Authorization", "Bearer "+${KEY})
`
const GO_SEND = `response, err := http.DefaultClient.Do(request)
${GO_CHECK}io.Copy(os.Stdout, response.Body)
response.Body.Close()`
const goPost = (more = ''): string =>
  `${goRequest('POST', `"${BASE}/pets"`, `strings.NewReader(\`${NEW_PET}\`)`)}request.Header.Set("Content-Type", "application/json")
${more}`

const go: Samples = {
  listPets: goOf(goRequest('GET', `"${BASE}${LIST}"`) + GO_SEND),
  createPet: goOf(goPost() + GO_SEND, 'strings'),
  getPet: goOf(goRequest('GET', `"${BASE}/pets/1"`) + GO_SEND),
  errors: goOf(goRequest('GET', `"${BASE}${WRONG}"`) + GO_SEND),
  pages: goOf(
    `link := regexp.MustCompile(\`<([^>]*)>; rel="next"\`)
next := "${BASE}/pets?limit=100"
for next != "" {
${indented(goRequest('GET', 'next') + GO_SEND)}
	found := link.FindStringSubmatch(response.Header.Get("Link"))
	if found == nil {
		break
	}
	here, _ := url.Parse(next)
	there, err := here.Parse(found[1])
${indented(GO_CHECK)}	next = there.String()
}`,
    'net/url',
    'regexp',
  ),
  repeats: goOf(
    `key := make([]byte, 16)
rand.Read(key)
for attempt := 0; attempt < 2; attempt++ {
${indented(goPost(`request.Header.Set("Idempotency-Key", fmt.Sprintf("%x", key))\n`) + GO_SEND)}
	fmt.Println(response.Header.Get("Idempotent-Replayed"))
}`,
    'crypto/rand',
    'fmt',
    'strings',
  ),
}

export const SAMPLES = { curl, typescript, python, go } as const satisfies Record<string, Samples>
export type Language = keyof typeof SAMPLES

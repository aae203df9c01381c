/** What there are samples for: each operation, and what takes more than one request. */
export type Topic = 'listPets' | 'createPet' | 'getPet' | 'pages' | 'repeats' | 'errors'

export type Samples = Readonly<Record<Topic, string>>

/** In a sample, where the address of the service stands, and its key: characters that no program has. */
export const BASE = '\uE000'
export const KEY = '\uE001'

const CURL_KEY = `-H "Authorization: Bearer ${KEY}"`
const CURL_BODY = `-H 'Content-Type: application/json' \\
  -d '{"name":"Rex","categoryId":7}'`

const curl: Samples = {
  listPets: `curl -i '${BASE}/pets?limit=20&status=available' \\
  ${CURL_KEY}`,

  createPet: `curl -i '${BASE}/pets' \\
  ${CURL_KEY} \\
  ${CURL_BODY}`,

  getPet: `curl -i '${BASE}/pets/1' \\
  ${CURL_KEY}`,

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
for attempt in 1 2; do
  # The second answer has Idempotent-Replayed: true and the same id.
  curl -i '${BASE}/pets' \\
    ${CURL_KEY} \\
    -H "Idempotency-Key: $key" \\
    ${CURL_BODY.replaceAll('\n', '\n  ')}
done`,

  errors: `curl -sS -w '\\n%{http_code}\\n' '${BASE}/pets?limit=0' \\
  ${CURL_KEY}`,
}

const STORE = `import { Petstore } from '@petstore/client'

const store = new Petstore({ baseUrl: '${BASE}', apiKey: ${KEY} })
`

const typescript: Samples = {
  listPets: `${STORE}
const page = await store.pets.list({ limit: 20, status: 'available' })
for (const pet of page.items) console.log(pet.id, pet.name)`,

  createPet: `${STORE}
const pet = await store.pets.create({ name: 'Rex', categoryId: 7 })
console.log(pet.id, pet.status)`,

  getPet: `${STORE}
const pet = await store.pets.get(1)
console.log(pet.name)`,

  pages: `${STORE}
// Reads a page whenever the one before is used up.
for await (const pet of store.pets.list()) console.log(pet.id, pet.name)`,

  repeats: `${STORE}
// The client sends its own key with every create. Pass yours to repeat one after a restart.
const idempotencyKey = crypto.randomUUID()
const first = await store.pets.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey })
const again = await store.pets.create({ name: 'Rex', categoryId: 7 }, { idempotencyKey })
console.log(first.id === again.id)`,

  errors: `${STORE.replace('{ Petstore }', '{ Petstore, PetstoreError }')}
try {
  await store.pets.list({ limit: 0 })
} catch (error) {
  if (!(error instanceof PetstoreError)) throw error
  console.log(error.code, error.message)
}`,
}

const PYTHON_HEADERS = `headers = {"Authorization": "Bearer " + ${KEY}}`

const python: Samples = {
  listPets: `import json, os, urllib.request

${PYTHON_HEADERS}
request = urllib.request.Request("${BASE}/pets?limit=20&status=available", headers=headers)
with urllib.request.urlopen(request) as response:
    for pet in json.load(response):
        print(pet["id"], pet["name"])`,

  createPet: `import json, os, urllib.request

${PYTHON_HEADERS}
headers["Content-Type"] = "application/json"
body = json.dumps({"name": "Rex", "categoryId": 7}).encode()
request = urllib.request.Request("${BASE}/pets", data=body, headers=headers)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,

  getPet: `import json, os, urllib.request

${PYTHON_HEADERS}
request = urllib.request.Request("${BASE}/pets/1", headers=headers)
with urllib.request.urlopen(request) as response:
    print(json.load(response))`,

  pages: `import json, os, re, urllib.parse, urllib.request

${PYTHON_HEADERS}
url = "${BASE}/pets?limit=100"
while url:
    request = urllib.request.Request(url, headers=headers)
    with urllib.request.urlopen(request) as response:
        for pet in json.load(response):
            print(pet["id"], pet["name"])
        link = re.search(r'<([^>]*)>; rel="next"', response.headers.get("Link", ""))
    url = link and urllib.parse.urljoin(url, link[1])`,

  repeats: `import json, os, urllib.request, uuid

${PYTHON_HEADERS}
headers["Content-Type"] = "application/json"
headers["Idempotency-Key"] = str(uuid.uuid4())
body = json.dumps({"name": "Rex", "categoryId": 7}).encode()
for attempt in range(2):
    request = urllib.request.Request("${BASE}/pets", data=body, headers=headers)
    with urllib.request.urlopen(request) as response:
        print(json.load(response)["id"], response.headers.get("Idempotent-Replayed"))`,

  errors: `import json, os, urllib.error, urllib.request

${PYTHON_HEADERS}
request = urllib.request.Request("${BASE}/pets?limit=0", headers=headers)
try:
    urllib.request.urlopen(request)
except urllib.error.HTTPError as failure:
    error = json.load(failure)
    print(error["status"], error["code"], error["message"])`,
}

const goProgram = (imports: readonly string[], body: string): string => `package main

import (
${imports.map(name => `\t"${name}"\n`).join('')})

func main() {
${body.replaceAll(/^(?=.)/gm, '\t')}
}`

const goRequest = (
  method: string,
  url: string,
  body = 'nil',
): string => `request, err := http.NewRequest("${method}", ${url}, ${body})
if err != nil {
	log.Fatal(err)
}
request.Header.Set("Authorization", "Bearer "+${KEY})
`

const GO_ANSWER = `response, err := http.DefaultClient.Do(request)
if err != nil {
	log.Fatal(err)
}
defer response.Body.Close()
`

const GO_PRINT = `io.Copy(os.Stdout, response.Body)`
const GO_NEW_PET = `strings.NewReader(\`{"name":"Rex","categoryId":7}\`)`
const GO_IS_JSON = `request.Header.Set("Content-Type", "application/json")
`

const go: Samples = {
  listPets: goProgram(
    ['io', 'log', 'net/http', 'os'],
    goRequest('GET', `"${BASE}/pets?limit=20&status=available"`) + GO_ANSWER + GO_PRINT,
  ),

  createPet: goProgram(
    ['io', 'log', 'net/http', 'os', 'strings'],
    goRequest('POST', `"${BASE}/pets"`, GO_NEW_PET) + GO_IS_JSON + GO_ANSWER + GO_PRINT,
  ),

  getPet: goProgram(
    ['io', 'log', 'net/http', 'os'],
    goRequest('GET', `"${BASE}/pets/1"`) + GO_ANSWER + GO_PRINT,
  ),

  pages: goProgram(
    ['io', 'log', 'net/http', 'net/url', 'os', 'regexp'],
    `link := regexp.MustCompile(\`<([^>]*)>; rel="next"\`)
next := "${BASE}/pets?limit=100"
for next != "" {
${indented(goRequest('GET', 'next') + GO_ANSWER.replace('defer response.Body.Close()\n', ''))}	io.Copy(os.Stdout, response.Body)
	response.Body.Close()
	found := link.FindStringSubmatch(response.Header.Get("Link"))
	if found == nil {
		break
	}
	here, _ := url.Parse(next)
	there, err := here.Parse(found[1])
	if err != nil {
		log.Fatal(err)
	}
	next = there.String()
}`,
  ),

  repeats: goProgram(
    ['crypto/rand', 'fmt', 'log', 'net/http', 'os', 'strings'],
    `bytes := make([]byte, 16)
rand.Read(bytes)
for attempt := 0; attempt < 2; attempt++ {
${indented(goRequest('POST', `"${BASE}/pets"`, GO_NEW_PET) + GO_IS_JSON)}	request.Header.Set("Idempotency-Key", fmt.Sprintf("%x", bytes))
${indented(GO_ANSWER.replace('defer ', ''))}	fmt.Fprintln(os.Stdout, response.Header.Get("Location"), response.Header.Get("Idempotent-Replayed"))
}`,
  ),

  errors: goProgram(
    ['encoding/json', 'fmt', 'log', 'net/http', 'os'],
    `${goRequest('GET', `"${BASE}/pets?limit=0"`) + GO_ANSWER}if response.StatusCode >= 400 {
	var failure struct{ Code, Message string }
	json.NewDecoder(response.Body).Decode(&failure)
	fmt.Fprintln(os.Stdout, response.StatusCode, failure.Code, failure.Message)
}`,
  ),
}

function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '\t')
}

export const SAMPLES = { curl, typescript, python, go } as const satisfies Record<string, Samples>
export type Language = keyof typeof SAMPLES

import { PETS_PATH } from '../../contract/servers.ts'
import { ALL, BASE, FIRST, KEY, LIST, type Samples, WRONG } from './topics.ts'

const IMPORTS = 'encoding/json fmt net/http os time'

/**
 * The standard library is enough, and `Pet` holds every int64 exactly. `check` uses `os`, because Go refuses an import that is not
 * used, and a sample with the reader's own key does not read the environment.
 */
const program = (imports: string, main: string, type = PET): string => `package main

import (
${`${IMPORTS} ${imports}`
  .trim()
  .split(' ')
  .toSorted()
  .map(name => `\t"${name}"`)
  .join('\n')}
)

const base = "${BASE}"

var apiKey = ${KEY}

${type}func main() {
	client := &http.Client{Timeout: 10 * time.Second}
${indented(main)}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}`

const indented = (code: string): string => code.replaceAll(/^(?=.)/gm, '\t')

const PET = `type Pet struct {
	ID         int64  \`json:"id"\`
	Name       string \`json:"name"\`
	CategoryID int64  \`json:"categoryId"\`
	Status     string \`json:"status"\`
}

`

const SEND = `request.Header.Set("Authorization", "Bearer "+apiKey)
response, err := client.Do(request)
check(err)`

const get = (path: string): string => `url := base + "${path}"
request, err := http.NewRequest("GET", url, nil)
check(err)
${SEND}
defer response.Body.Close()`

const expectStatus = (name: string): string => `if response.StatusCode != http.Status${name} {
	check(errors.New(response.Status))
}`

const REX = `body, err := json.Marshal(map[string]any{
	"name":       "Rex",
	"categoryId": 7,
})
check(err)`

const POST = `request, err := http.NewRequest(
	"POST", base+"${PETS_PATH}", bytes.NewReader(body),
)
check(err)
request.Header.Set("Content-Type", "application/json")`

export const go: Samples = {
  listPets: program(
    'errors',
    `${get(LIST)}
${expectStatus('OK')}
var pets []Pet
check(json.NewDecoder(response.Body).Decode(&pets))
for _, pet := range pets {
	fmt.Println(pet.ID, pet.Name)
}`,
  ),
  createPet: program(
    'bytes errors',
    `${REX}
${POST}
${SEND}
defer response.Body.Close()
${expectStatus('Created')}
var pet Pet
check(json.NewDecoder(response.Body).Decode(&pet))
fmt.Println(pet.ID, pet.Status)`,
  ),
  getPet: program(
    'errors',
    `${get(FIRST)}
${expectStatus('OK')}
var pet Pet
check(json.NewDecoder(response.Body).Decode(&pet))
fmt.Println(pet.Name, pet.CategoryID)`,
  ),
  pages: program(
    'errors regexp',
    `pattern := regexp.MustCompile(\`<([^>]*)>; rel="next"\`)
next := base + "${ALL}"
for next != "" {
	request, err := http.NewRequest("GET", next, nil)
	check(err)
${indented(SEND)}
${indented(expectStatus('OK'))}
	var pets []Pet
	check(json.NewDecoder(response.Body).Decode(&pets))
	check(response.Body.Close())
	for _, pet := range pets {
		fmt.Println(pet.ID, pet.Name)
	}
	links := response.Header.Get("Link")
	next = ""
	if link := pattern.FindStringSubmatch(links); link != nil {
		// A service without a configured base URL links by path.
		target, err := request.URL.Parse(link[1])
		check(err)
		next = target.String()
	}
}`,
  ),
  repeats: program(
    'bytes errors',
    `${REX}
key := fmt.Sprint("add-rex-", time.Now().UnixNano())
// The second response has the same id, and was replayed.
for attempt := 1; attempt <= 2; attempt++ {
${indented(POST)}
	request.Header.Set("Idempotency-Key", key)
${indented(SEND)}
${indented(expectStatus('Created'))}
	var pet Pet
	check(json.NewDecoder(response.Body).Decode(&pet))
	check(response.Body.Close())
	replayed := response.Header.Get("Idempotent-Replayed")
	fmt.Println(pet.ID, replayed)
}`,
  ),
  errors: program(
    '',
    `${get(WRONG)}
if response.StatusCode >= 400 {
	var problem struct{ Code, Message string }
	check(json.NewDecoder(response.Body).Decode(&problem))
	fmt.Println(problem.Code, problem.Message)
}`,
    '',
  ),
}

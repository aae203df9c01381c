import { BASE, KEY, type Samples } from './topics.ts'

const program = (imports: readonly string[], body: string): string => `package main

import (
${imports.map(name => `\t"${name}"\n`).join('')})

func main() {
${body.replaceAll(/^(?=.)/gm, '\t')}
}`

const request = (
  method: string,
  url: string,
  body = 'nil',
): string => `request, err := http.NewRequest("${method}", ${url}, ${body})
if err != nil {
	log.Fatal(err)
}
request.Header.Set("Authorization", "Bearer "+${KEY})
`

const ANSWER = `response, err := http.DefaultClient.Do(request)
if err != nil {
	log.Fatal(err)
}
defer response.Body.Close()
`

const PRINT = `io.Copy(os.Stdout, response.Body)`
const NEW_PET = `strings.NewReader(\`{"name":"Rex","categoryId":7}\`)`
const IS_JSON = `request.Header.Set("Content-Type", "application/json")
`

export const go: Samples = {
  listPets: program(
    ['io', 'log', 'net/http', 'os'],
    request('GET', `"${BASE}/pets?limit=20&status=available"`) + ANSWER + PRINT,
  ),

  createPet: program(
    ['io', 'log', 'net/http', 'os', 'strings'],
    request('POST', `"${BASE}/pets"`, NEW_PET) + IS_JSON + ANSWER + PRINT,
  ),

  getPet: program(['io', 'log', 'net/http', 'os'], request('GET', `"${BASE}/pets/1"`) + ANSWER + PRINT),

  pages: program(
    ['io', 'log', 'net/http', 'net/url', 'os', 'regexp'],
    `link := regexp.MustCompile(\`<([^>]*)>; rel="next"\`)
next := "${BASE}/pets?limit=100"
for next != "" {
${indented(request('GET', 'next') + ANSWER.replace('defer response.Body.Close()\n', ''))}	io.Copy(os.Stdout, response.Body)
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

  repeats: program(
    ['crypto/rand', 'fmt', 'log', 'net/http', 'os', 'strings'],
    `bytes := make([]byte, 16)
rand.Read(bytes)
for attempt := 0; attempt < 2; attempt++ {
${indented(request('POST', `"${BASE}/pets"`, NEW_PET) + IS_JSON)}	request.Header.Set("Idempotency-Key", fmt.Sprintf("%x", bytes))
${indented(ANSWER.replace('defer ', ''))}	fmt.Fprintln(os.Stdout, response.Header.Get("Location"), response.Header.Get("Idempotent-Replayed"))
}`,
  ),

  errors: program(
    ['encoding/json', 'fmt', 'log', 'net/http', 'os'],
    `${request('GET', `"${BASE}/pets?limit=0"`) + ANSWER}if response.StatusCode >= 400 {
	var failure struct{ Code, Message string }
	json.NewDecoder(response.Body).Decode(&failure)
	fmt.Fprintln(os.Stdout, response.StatusCode, failure.Code, failure.Message)
}`,
  ),
}

function indented(lines: string): string {
  return lines.replaceAll(/^(?=.)/gm, '\t')
}

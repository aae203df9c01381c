import { expect, test } from 'bun:test'
import { type HTMLElement, type HTMLInputElement, Window } from 'happy-dom'
import { EXAMPLES } from '../../src/contract/openapi.ts'
import { VERSION } from '../../src/contract/operations.ts'
import { referenceDocument } from './render.ts'

const FILE = { name: 'a' }
const { document } = new Window()
document.body.innerHTML = referenceDocument({ script: FILE, style: FILE, icon: FILE }, true)
const all = (selector: string) => [...document.querySelectorAll(selector)] as HTMLElement[]
const plain = ({ textContent }: HTMLElement): string => textContent.replaceAll(/\s+/g, ' ').trim()
const texts = (selector: string): string[] => all(selector).map(plain)
const attributes = (selector: string, name: string) => all(selector).map(one => one.getAttribute(name))

test('the contents lead to every operation by its method, to every section and to the OpenAPI document', () => {
  expect(all('.contents a').map(link => `${link.getAttribute('href')} ${plain(link)}`)).toEqual([
    '#start Start here',
    '#listPets GET List all animals',
    '#createPet POST Add an animal',
    '#getPet GET Get an animal (deprecated)',
    '#authentication Authentication',
    '#pages Pages',
    '#exact-numbers Exact numbers',
    '#safe-retries Safe retries',
    '#errors Errors',
    '#rate-limits Rate limits',
    '#deprecation Deprecation',
    'openapi.json openapi.json',
  ])
  expect(texts('.intro p')).toEqual([`Version ${VERSION}`])
  expect(texts('.contents s')).toEqual(['Get an animal'])
  const lists = all('nav[aria-label=Contents] [aria-labelledby]')
  const titles = lists.map(list => texts(`#${list.getAttribute('aria-labelledby')}`))
  expect(titles).toEqual([['Operations'], ['Guide'], ['OpenAPI document']])
})

test('an operation says its endpoint and what it does, and a deprecated one since when and what replaces it', () => {
  expect(texts('.endpoint')).toEqual(['GET /v1/pets', 'POST /v1/pets', 'GET /v1/pets/{petId}'])
  expect(texts('h2:has(.tag)')).toEqual(['Get an animal deprecated'])
  expect(texts('#listPets .endpoint + p code')).toEqual(['Link'])
  expect(texts('.notice strong')).toEqual([
    'Deprecated since 14 November 2026; removal is announced for 5 December 2030.',
  ])
  expect(attributes('.notice a', 'href')).toEqual(['#listPets', '#deprecation'])
  const days = texts('body')[0]?.match(/\w+ \d+ [A-Z][a-z]+ \d{4}/g)
  expect(new Set(days)).toEqual(new Set(['since 14 November 2026', 'for 5 December 2030']))
})

test('the statuses of an operation ascend, each with its headers; only what is read has a 304', () => {
  const statuses = (id: string) => texts(`#${id}-statuses + dl dt`).join(' ')
  expect(statuses('createPet')).toBe('201 400 401 409 413 415 422 429 500 503')
  expect(statuses('listPets')).toBe('200 304 400 401 412 429 500 503')
  const headers = texts('#listPets-statuses + dl dd > span').map(text =>
    text.replace('Headers: X-Request-Id', ''),
  )
  expect(headers).toEqual([
    ', ETag, Link',
    ', ETag, Link',
    '',
    ', WWW-Authenticate',
    '',
    ', Retry-After',
    '',
    ', Retry-After',
  ])
  expect(texts('#getPet-statuses + dl dd > span')[0]).toEndWith(', ETag, Deprecation, Sunset, Link')
})

test('a status says what it means, and each of its codes on a line, which leads to the error', () => {
  const [found, notModified] = texts('#listPets-statuses + dl dd')
  expect(found).toStartWith('A paginated list of animals.')
  expect(notModified).toStartWith('Not modified: the ETag sent still matches.')
  const unavailable = '#createPet-statuses + dl div:has([href="#errors-unavailable"]) dd'
  const links = ['#errors-outcome_unknown', '#errors-unavailable']
  expect([attributes(`${unavailable} a`, 'href'), all(`${unavailable} br`).length]).toEqual([links, 2])
  expect(texts(unavailable)[0]).toMatch(/^outcome_unknown The animal .*unavailable Nothing was stored: /)
})

test('no id occurs twice', () => {
  const names = attributes('[id]', 'id')
  expect(names.filter((name, at) => names.indexOf(name) < at)).toEqual([])
})

test('each section and each error takes the focus, and its title leads to it', () => {
  const titled = all('section, article')
  expect(new Set(attributes('section, article', 'tabindex'))).toEqual(new Set(['-1']))
  expect(titled.map(one => one.querySelector('.anchor')?.getAttribute('href'))).toEqual(
    titled.map(({ id }) => `#${id}`),
  )
})

test('the first commands are whole, have names, and offer the client only if it was built', () => {
  const commands = all('#start pre').map(one => [one.getAttribute('aria-label'), one.textContent])
  expect(commands).toEqual([
    ['The first request', `curl '{{base}}/pets' \\\n  -H "Authorization: Bearer $PETSTORE_API_KEY"`],
    ['The TypeScript client', 'curl -O {{site}}/client.tgz &&\n  npm install ./client.tgz'],
  ])
  expect(texts('#start figcaption span:first-child:not(button *)')).toEqual([
    'The first request',
    'The TypeScript client',
  ])
  const withoutClient = referenceDocument({ script: FILE, style: FILE, icon: FILE }, false)
  expect(withoutClient.includes('client.tgz')).toBe(false)
})

test.each([
  [
    'route_not_found',
    '404 Nothing is served at this path. A trailing',
    '/openapi.json. Such a request reaches no operation.',
  ],
  ['pet_not_found', '404 No animal has this identifier. For instance:', 'the identifier 42. From getPet.'],
  [
    'rate_limited',
    '429 This API key made more requests',
    'in Retry-After. From listPets, createPet, getPet.',
  ],
])('the error %s says what it means, an example, and which operations return it', (code, first, last) => {
  const [text = ''] = texts(`#errors #errors-${code}`)
  expect(text).toStartWith(`${code} ${first}`)
  expect(text).toEndWith(last)
  for (const link of all(`#errors-${code} p a`)) expect(link.getAttribute('href')).toBe(`#${plain(link)}`)
})

test('every status has the colour of its class', () => {
  const codes = all('.code').filter(code => code.textContent !== '')
  expect(codes).not.toBeEmpty()
  for (const code of codes) expect(code.className).toEndWith(`code code-${code.textContent[0]}`)
})

test.each([
  ['createPet-body-name', 'name string required', 'Range 1 to 255 characters Example Rex'],
  ['createPet-body-categoryId', 'categoryId int64 required', 'Range any int64 Example 7'],
  ['createPet-body-status', 'status one of available, pending, sold', 'Example available'],
  ['createPet-response-id', 'id int64', 'Range from 1 Example 1'],
  ['createPet-response-name', 'name string', 'Range 1 to 255 characters Example Rex'],
  ['listPets-parameters-limit', 'limit integer', 'Default 20 Range 1 to 100'],
  ['listPets-parameters-status', 'status one of available, pending, sold', ''],
  ['getPet-parameters-petId', 'petId int64 required', 'Range any int64 Example 1'],
])('the field %s has its type and its facts, and "required" only if it must be sent', (id, type, facts) => {
  expect([texts(`#${id} dt`), texts(`#${id} dd > span`)]).toEqual([[type], [facts]])
})

test('the parts of an operation have titles, also for a list', () => {
  const titlesOf = (id: string) => texts(`#${id} .entry-text h3`)
  expect(titlesOf('listPets')).toEqual(['Parameters', 'Each animal of the response', 'Statuses'])
  expect(titlesOf('createPet')).toEqual(['Parameters', 'Body', 'Response', 'Statuses'])
  expect(titlesOf('getPet')).toEqual(['Parameters', 'Response', 'Statuses'])
})

test("a field's own description comes before that of its schema", () => {
  expect(texts('#listPets-parameters-status dd, #createPet-body-status dd')).toEqual([
    'Filters by availability status.',
    'Availability status. available if omitted.Example available',
  ])
})

test('"Try it" begins with an example of what is required and shows the default of the rest, in the order of the fields', () => {
  const fields = (id: string) =>
    (all(`[data-operation=${id}] [data-place]`) as unknown as HTMLInputElement[]).map(
      ({ name, dataset, value, placeholder }) =>
        [name, dataset.place, value, placeholder, 'number' in dataset].join(' '),
    )
  expect(fields('listPets')).toEqual([
    'limit query  20 true',
    'status query   false',
    'cursor query   false',
    'If-None-Match header   false',
  ])
  expect(fields('createPet')).toEqual([
    'Idempotency-Key header   false',
    'name body Rex  false',
    'categoryId body 7  true',
    'status body   false',
  ])
  expect(texts('[data-operation=listPets] option')).toEqual(['not sent', 'available', 'pending', 'sold'])
  expect(texts('.try label:has(.required)')).toEqual([
    'name required',
    'categoryId required',
    'petId required',
  ])
  expect(attributes('.try-state, #copy-state', 'role')).toEqual(Array(4).fill('status'))
  expect(attributes('[name=key]', 'autocomplete')).toEqual(Array(3).fill('off'))
  expect(texts('.try form > .tag')).toEqual(['This adds an animal permanently: the API cannot remove one.'])
  expect(all('[data-operation=createPet] .tag')).toHaveLength(1)
})

test('a sample names its language to screen readers, can be scrolled by keyboard, and is in curl at first', () => {
  const group = '#safe-retries .languages[role=group][aria-label=Language] button'
  expect(all(group).map(one => [plain(one), one.getAttribute('aria-pressed')])).toEqual([
    ['curl', 'true'],
    ['TypeScript', 'false'],
    ['Python', 'false'],
    ['Go', 'false'],
  ])
  expect(attributes('#safe-retries pre', 'aria-label')).toEqual(
    ['curl', 'TypeScript', 'Python', 'Go'].map(language => `Safe retries: sample in ${language}`),
  )
  for (const code of all('pre:not(.wrapped)'))
    expect([code.getAttribute('aria-label'), code.tabIndex]).toEqual([expect.stringMatching(/./), 0])
  expect(new Set(attributes('button.copy', 'aria-label'))).toEqual(
    new Set(['Copy this sample', 'Copy the URL', 'Copy this request']),
  )
})

test('each operation and three sections of the guide have a sample', () => {
  expect(attributes('section:not(.try *) > .entry-code > [data-topic]:first-child', 'data-topic')).toEqual([
    'start',
    'listPets',
    'createPet',
    'getPet',
    'pages',
    'repeats',
    'errors',
  ])
})

test('the response of an operation is an example as the contract has it', () => {
  for (const [id, head, body] of [
    ['listPets', '200 OK', EXAMPLES.Pets],
    ['createPet', '201 Created', EXAMPLES.Pet],
    ['getPet', '200 OK', EXAMPLES.Pet],
  ] as const) {
    const sample = `#${id} [data-topic=response]`
    expect(texts(`${sample} figcaption`)).toEqual([`Response${head}`])
    const [code] = all(`${sample} pre[aria-label="A response with status ${head.slice(0, 3)}"]`)
    expect(code?.textContent).toBe(JSON.stringify(body, null, 2))
  }
})

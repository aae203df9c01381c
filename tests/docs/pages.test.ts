import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import description from '../../openapi.json'
import { clientContract } from '../../scripts/build/client-contract.ts'
import { GENERATED } from '../../scripts/docs/docs.ts'
import { ERROR_CODES, type ErrorCode } from '../../src/contract/errors.ts'
import { LIMIT_MAX, MAX_BODY_BYTES, NAME_MAX_LENGTH } from '../../src/contract/limits.ts'

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['*.md', '{docs,bench,client}/*.md'].flatMap(pattern => [
  ...new Bun.Glob(pattern).scanSync(ROOT),
])
const LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)/g
/** A file in code, such as `api/handle.ts`; with a name before it, such as `OPERATIONS` in `contract/operations.ts`. */
const NAMED = /(?:`(\w+)` in )?`([\w/-]+\.(?:ts|sql|test\.ts))`/g
const read = (page: string): Promise<string> => Bun.file(join(ROOT, page)).text()

/** Variables of the proxies and the compose file, in deploy/. */
const NO_SETTINGS = 'SITE ADDRESS LISTEN ONE TWO THREE PORT'.split(' ').map(name => `PETSTORE_${name}`)

test.each(Object.entries(GENERATED))('%s is in step with the code', async (page, write) => {
  const text = await read(page)
  expect(text).toBe(await write(text))
})

test('no page names a setting that does not exist', async () => {
  const settings = await read('docs/settings.md')
  const pages = PAGES.filter(page => page === 'README.md' || page.startsWith('docs/'))
  const named = (await Promise.all(pages.map(read))).join().match(/\bPETSTORE_[A-Z_]+\b/g) ?? []
  const exists = (name: string) => NO_SETTINGS.includes(name) || settings.includes(`\`${name}\``)
  expect(named.filter(name => !exists(name))).toEqual([])
})

test('the limits in api.md are those of the contract', async () => {
  const page = await read('docs/api.md')
  expect(page).toContain(`| Body | ${MAX_BODY_BYTES / 1024} KiB,`)
  expect(page).toContain(`| Page | ${LIMIT_MAX} animals |`)
  expect(page).toContain(`1 to ${NAME_MAX_LENGTH} characters`)
})

test('every test that guarantees.md names exists, in the tier that it names', async () => {
  const files = [...new Bun.Glob('{src,web,tests}/**/*.test.ts').scanSync(ROOT)]
  const thorough = files.filter(file => file.startsWith('tests/thorough/'))
  const tiers = [files.filter(file => !thorough.includes(file)), thorough]
  const missing: string[] = []
  for (const [, cell = ''] of (await read('docs/guarantees.md')).matchAll(/^\| .+ \| (.*`.+`.*) \|$/gm))
    for (const [tier, part] of cell.split('*thorough:*').entries())
      for (const [, name = ''] of part.matchAll(/`([^`]+)`/g))
        if (!tiers[tier]?.some(file => `/${file}`.includes(`/${name}`))) missing.push(name)
  expect(missing).toEqual([])
})

test('every link leads to a file or heading that exists', async () => {
  const broken: string[] = []
  for (const page of PAGES)
    for (const [, link = ''] of (await read(page)).matchAll(LINK)) {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? page : join(dirname(page), file)
      const exists = existsSync(join(ROOT, target))
      if (!exists || (anchor && !(await anchorsOf(target)).includes(anchor))) broken.push(`${page}: ${link}`)
    }
  expect(broken).toEqual([])
})

test('every page of docs/ can be reached from README.md', async () => {
  const index = await read('README.md')
  expect(PAGES.filter(page => page.startsWith('docs/') && !index.includes(`](${page})`))).toEqual([])
})

test('every file and name that ARCHITECTURE.md and CONTRIBUTING.md point to exists', async () => {
  const files = [...new Bun.Glob('{src,client,tests,scripts}/**/*.{ts,sql}').scanSync(ROOT)]
  const missing: string[] = []
  for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md'])
    for (const [all, name = '', path = ''] of (await read(page)).matchAll(NAMED)) {
      const texts = await Promise.all(files.filter(file => `/${file}`.endsWith(`/${path}`)).map(read))
      if (!texts.some(text => text.includes(name))) missing.push(`${page}: ${all}`)
    }
  expect(missing).toEqual([])
})

const { paths, components } = description
const operations = [paths['/pets'].get, paths['/pets'].post, paths['/pets/{petId}'].get]
const { Error: error, NewPet: newPet } = components.schemas

test('openapi.json has no example for an optional parameter, because tools send examples untouched', () => {
  const parameters: readonly object[] = operations.flatMap((operation): object[] => operation.parameters)
  expect(parameters.filter(parameter => 'example' in parameter)).toMatchObject([{ name: 'petId' }])
  for (const header of Object.values(components.headers)) expect(header.example).toBeDefined()
})

test('openapi.json has no default beside a $ref, which generators take for a field that must be sent', () => {
  expect(newPet.properties.status).not.toHaveProperty('default')
  expect(newPet.required).toEqual(['name', 'categoryId'])
})

test('openapi.json describes every error as the one Error, which is open, and each code where it occurs', () => {
  expect(error.properties.code).not.toHaveProperty('enum')
  expect(error.properties.code['x-extensible-enum']).toEqual(ERROR_CODES)
  for (const response of Object.values(components.responses))
    if ('content' in response)
      expect(response.content['application/json'].schema.$ref).toBe('#/components/schemas/Error')
  // These depend on the path or the message alone, so no operation lists them.
  const others: ErrorCode[] = ['malformed_request', 'route_not_found', 'method_not_allowed']
  const described = JSON.stringify(components.responses)
  expect(ERROR_CODES.filter(code => !described.includes(`\`${code}\`: `)).toSorted()).toEqual(
    others.toSorted(),
  )
  expect(components.responses.InvalidRequest.content['application/json'].example.code).toBe('invalid_body')
})

test("the client's contract is what `npm run openapi` makes of the service's", async () => {
  expect(await read('client/src/contract.generated.ts')).toBe(clientContract())
})

test.each(['client/README.md', 'client/src/errors.ts'])('%s names every error code', async file => {
  const text = await read(file)
  expect(ERROR_CODES.filter(code => !text.includes(`\`${code}\``))).toEqual([])
})

/** The anchors that GitHub makes from headings. */
async function anchorsOf(page: string): Promise<string[]> {
  return [...(await read(page)).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

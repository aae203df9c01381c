import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GENERATED } from '../../scripts/docs/docs.ts'
import { LIMIT_MAX, MAX_BODY_BYTES, NAME_MAX_LENGTH } from '../../src/contract/limits.ts'

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['*.md', 'docs/*.md', '.github/**/*.md', '{bench,client}/*.md'].flatMap(pattern => [
  ...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true }),
])
const LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)/g
/** A file in code, such as `api/handle.ts`; with a name before it, such as `OPERATIONS` in `contract/operations.ts`. */
const NAMED = /(?:`(\w+)` in )?`([\w/-]+\.(?:ts|sql|test\.ts))`/g
const read = (page: string): Promise<string> => Bun.file(join(ROOT, page)).text()

/** Variables of the proxies and the compose file, in deploy/. */
const NO_SETTINGS = ['SITE', 'ADDRESS', 'LISTEN', 'ONE', 'TWO', 'THREE', 'PORT'].map(
  name => `PETSTORE_${name}`,
)

test.each(Object.entries(GENERATED))('%s is in step with the code', async (page, write) => {
  const text = await read(page)
  expect(text).toBe(await write(text))
})

test('no page names a setting that does not exist', async () => {
  const settings = await read('docs/settings.md')
  for (const page of PAGES.filter(page => page === 'README.md' || page.startsWith('docs/')))
    for (const [name] of (await read(page)).matchAll(/\bPETSTORE_[A-Z_]+\b/g))
      if (!NO_SETTINGS.includes(name))
        expect({ page, name, exists: settings.includes(`\`${name}\``) }).toEqual({ page, name, exists: true })
})

test('the limits in api.md are those of the contract', async () => {
  const page = await read('docs/api.md')
  expect(page).toContain(`| Body | ${MAX_BODY_BYTES / 1024} KiB,`)
  expect(page).toContain(`| Page | ${LIMIT_MAX} animals |`)
  expect(page).toContain(`1 to ${NAME_MAX_LENGTH} characters`)
})

test('every test that guarantees.md names exists, in the tier that it names', async () => {
  const files = [...new Bun.Glob('{src,tests}/**/*.test.ts').scanSync(ROOT)]
  for (const [, cell = ''] of (await read('docs/guarantees.md')).matchAll(/^\| .+ \| (.*`.+`.*) \|$/gm)) {
    const [fast = '', thorough = ''] = cell.split('*thorough:*')
    for (const [part, isThorough] of [
      [fast, false],
      [thorough, true],
    ] as const)
      for (const [, name = ''] of part.matchAll(/`([^`]+)`/g)) {
        const found = files.some(
          file => file.startsWith('tests/thorough/') === isThorough && `/${file}`.includes(`/${name}`),
        )
        expect({ name, isThorough, found }).toEqual({ name, isThorough, found: true })
      }
  }
})

test('every link leads to a file or heading that exists', async () => {
  for (const page of PAGES)
    for (const [, link = ''] of (await read(page)).matchAll(LINK)) {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? page : join(dirname(page), file)
      expect({ page, link, exists: existsSync(join(ROOT, target)) }).toEqual({ page, link, exists: true })
      if (anchor !== undefined)
        expect({ page, link, anchors: await anchorsOf(target) }).toEqual({
          page,
          link,
          anchors: expect.arrayContaining([anchor]),
        })
    }
})

test('every page of docs/ can be reached from README.md', async () => {
  const index = await read('README.md')
  expect(PAGES.filter(page => page.startsWith('docs/') && !index.includes(`](${page})`))).toEqual([])
})

test('every file and name that ARCHITECTURE.md and CONTRIBUTING.md point to exists', async () => {
  const files = [...new Bun.Glob('{src,client,tests,scripts}/**/*.{ts,sql}').scanSync(ROOT)]
  for (const page of ['ARCHITECTURE.md', 'CONTRIBUTING.md'])
    for (const [, name, path = ''] of (await read(page)).matchAll(NAMED)) {
      const found = files.filter(file => `/${file}`.endsWith(`/${path}`))
      const texts = await Promise.all(found.map(read))
      const exists = texts.some(text => name === undefined || text.includes(name))
      expect({ page, path, name, exists }).toEqual({ page, path, name, exists: true })
    }
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

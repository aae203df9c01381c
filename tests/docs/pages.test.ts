import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GENERATED } from '../../scripts/docs/docs.ts'
import { LIMIT_MAX, MAX_BODY_BYTES, NAME_MAX_LENGTH } from '../../src/contract/limits.ts'

const ROOT = join(import.meta.dir, '../..')
const PAGES = ['*.md', 'docs/*.md', '.github/**/*.md', '{bench,client,deploy}/*.md', 'deploy/*/*.md'].flatMap(
  pattern => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })],
)
const LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)/g
const read = (page: string): Promise<string> => Bun.file(join(ROOT, page)).text()

/** Variables of the proxies, in deploy/. */
const NO_SETTINGS = ['PETSTORE_SITE', 'PETSTORE_ADDRESS']

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

test('every page of docs/ can be reached from its first page', async () => {
  const index = await read('docs/README.md')
  const pages = PAGES.filter(page => page.startsWith('docs/') && page !== 'docs/README.md')
  expect(pages.filter(page => !index.includes(`(${page.slice('docs/'.length)}`))).toEqual([])
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

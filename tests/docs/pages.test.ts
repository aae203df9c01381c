import { describe, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { GENERATED } from '../../scripts/docs/docs.ts'
import { knownVariables } from '../../src/config/variables.ts'
import { pages, ROOT, read } from './shell-blocks.ts'

/** Variables of the reader, of the proxies and of the attacks. */
const NO_SETTINGS = new Set([
  'PETSTORE_SITE',
  'PETSTORE_ADDRESS',
  'PETSTORE_FAULTS_SEED',
  'PETSTORE_FUZZ_PARTS',
])

const OTHER_PAGES = [
  '*.md',
  '.github/**/*.md',
  '{bench,client,deploy}/*.md',
  '{bench/results,deploy/patroni}/*.md',
].flatMap(pattern => [...new Bun.Glob(pattern).scanSync({ cwd: ROOT, dot: true })])

describe('the documentation is in step with the code', () => {
  test.each(Object.entries(GENERATED))('%s is what `npm run docs` makes of it', async (page, make) => {
    expect(await read(page)).toBe(await make())
  })

  test('no page names a setting that there is not', async () => {
    const known = new Set(knownVariables())
    for (const page of [...pages(), 'README.md'])
      for (const [name] of (await read(page)).matchAll(/\bPETSTORE_[A-Z_]+\b/g))
        if (!known.has(name) && !NO_SETTINGS.has(name))
          expect({ page, name }).toEqual({ page, name: 'a setting' })
  })
})

describe('the documentation holds together', () => {
  const LINK = /\]\((?!https?:|mailto:)([^)\s]+)\)/g

  test('every link within it leads somewhere', async () => {
    for (const page of [...pages(), ...OTHER_PAGES])
      for (const [, link = ''] of (await read(page)).matchAll(LINK)) {
        const [file = '', anchor] = link.split('#')
        const target = file === '' ? page : join(dirname(page), file)
        expect({ page, link, isThere: existsSync(join(ROOT, target)) }).toEqual({ page, link, isThere: true })
        if (anchor !== undefined)
          expect({ page, link, anchors: await anchorsOf(target) }).toEqual(
            expect.objectContaining({ anchors: expect.arrayContaining([anchor]) }),
          )
      }
  })

  test('every page can be reached from the first one', async () => {
    const reached = new Set(['docs/README.md'])
    for (const page of reached)
      for (const [, link = ''] of (await read(page)).matchAll(LINK)) {
        const target = join(dirname(page), link.split('#')[0] ?? '')
        if (target.startsWith('docs/') && target.endsWith('.md')) reached.add(target)
      }
    expect(pages().filter(page => !reached.has(page))).toEqual([])
  })
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

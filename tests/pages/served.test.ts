import { describe, expect, test } from 'bun:test'
import { gunzipSync } from 'node:zlib'
import { BASE } from '../../web/document.ts'
import { LANGUAGES, type LanguageId } from '../../web/reference/samples.ts'
import { sharedService } from '../support/service.ts'

const service = sharedService({ inThread: true })
const without = sharedService({ variables: { PETSTORE_CONSOLE: 'off' } })
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(service().url + path, { headers, decompress: false })
const reference = async (): Promise<string> => (await get('/docs')).text()

const assetsOf = async (page: string): Promise<string[]> =>
  [...(await (await get(page)).text()).matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(
    ([, path]) => `/${path}`,
  )

describe('the pages are served', () => {
  test.each([
    ['/', 52_000],
    ['/docs', 40_000],
  ])('%s in less than %d bytes', async (page, most) => {
    let bytes = Bun.gzipSync(await (await get(page)).arrayBuffer()).length
    for (const path of new Set(await assetsOf(page))) {
      const asset = await get(path, { 'Accept-Encoding': 'gzip, br' })
      expect(asset.headers.get('content-encoding')).toBe('gzip')
      bytes += (await asset.bytes()).length
    }
    expect(bytes).toBeLessThan(most)
  })

  test('with one script, so that no part is gone after an upgrade', async () => {
    const assets = await assetsOf('/')
    expect(assets.map(path => path.split('.').at(-1))).toEqual(['svg', 'css', 'js', 'svg'])
    const script = await get(assets[2] ?? '')
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
    expect(await script.text()).not.toMatch(/\bimport\s*\(/)
  })

  test.each(['/', '/docs'])('%s with a policy that lets nothing in but its own origin', async page => {
    const { headers } = await get(page, { 'X-Request-Id': 'mine' })
    const policy = headers.get('content-security-policy')?.split('; ')
    const own = ['script', 'style', 'img', 'connect'].map(what => `${what}-src 'self'`)
    const none = ['base-uri', 'form-action', 'frame-ancestors', 'trusted-types'].map(what => `${what} 'none'`)
    const all = ["default-src 'none'", ...own, ...none, "require-trusted-types-for 'script'"]
    expect(policy?.toSorted()).toEqual(all.toSorted())
    for (const kind of ['opener', 'resource'])
      expect(headers.get(`cross-origin-${kind}-policy`)).toBe('same-origin')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('no-referrer')
    expect(headers.get('x-request-id')).toBe('mine')
  })

  test('compressed to who takes it, each form with its tag', async () => {
    const assets = await assetsOf('/')
    for (const path of ['/', '/docs', '/openapi.json', ...assets]) {
      const [plain, zipped] = [await get(path), await get(path, { 'Accept-Encoding': 'gzip' })]
      const field = (name: string) => [plain, zipped].map(({ headers }) => headers.get(name) ?? '')
      expect([path, ...field('content-encoding')]).toEqual([path, '', 'gzip'])
      expect(field('vary')).toEqual(['Accept-Encoding', 'Accept-Encoding'])
      expect(gunzipSync(await zipped.bytes())).toEqual(Buffer.from(await plain.bytes()))
      const [tag = '', tagOfZipped = ''] = field('etag')
      expect(tagOfZipped).not.toBe(tag)
      for (const [form, known] of [['identity', tag] as const, ['gzip', tagOfZipped] as const]) {
        const again = await get(path, { 'Accept-Encoding': form, 'If-None-Match': known })
        const { status, headers } = again
        expect([status, headers.get('etag'), headers.get('vary')]).toEqual([304, known, 'Accept-Encoding'])
      }
      if (assets.includes(path)) expect(field('x-content-type-options')).toEqual(['nosniff', 'nosniff'])
    }
  })
})

test('the client is served as it was packed, the same by every instance: npm remembers its hash', async () => {
  const packed = await get('/client.tgz')
  expect(packed.headers.get('content-type')).toBe('application/gzip')
  const bytes = await packed.bytes()
  expect(bytes).toEqual(await Bun.file('dist/client.tgz').bytes())
  const again = { 'If-None-Match': packed.headers.get('etag') ?? '' }
  expect((await get('/client.tgz', again)).status).toBe(304)
})

test('the reference is the same for every Host, and shows its own address to readers without JavaScript', async () => {
  const pages = ['pets.example:81', '[::1]:8080', "it's.example", 'h'.repeat(253)].map(async host => {
    const page = await get('/docs', { Host: host })
    return { etag: page.headers.get('etag'), text: await page.text() }
  })
  const [first, ...others] = await Promise.all(pages)
  for (const other of others) expect(other).toEqual(first as never)
  expect(/data-address="v1">([^<]*)</.exec(first?.text ?? '')?.[1]).toBe(`${service().url}/v1`)
  expect(first?.text).not.toContain(':8080/')
  // The page's script replaces each by what leads here from the reader.
  expect(first?.text.replaceAll(/data-address="[^"]*">[^<]*/g, '')).not.toContain(service().url)
})

test('PETSTORE_CONSOLE=off removes the pages, and the deprecation is explained in the description', async () => {
  for (const path of ['/', '/docs', '/client.tgz', ...(await assetsOf('/'))])
    expect((await without().fetch(path, { key: null })).failure).toBe('404 route_not_found')
  expect((await without().fetch('/v1/pets/1')).link('deprecation')).toBe('/openapi.json')
  const { text } = await without().fetch('/openapi.json', { key: null })
  expect(text).toContain('removal is announced for 5 December 2030')
})

test('/docs/ leads to the reference, also behind a proxy', async () => {
  const page = await fetch(`${service().url}/docs/`, { redirect: 'manual' })
  expect([page.status, page.headers.get('location')]).toEqual([308, '../docs'])
})

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, '').replaceAll(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '?')

function sampleOf(page: string, topic: string, language: string): string {
  const [, figure = ''] = page.split(`data-topic="${topic}"`)
  const code = new RegExp(`<pre [^>]*data-language="${language}"[^>]*><code>(.*?)</code></pre>`, 's')
  return code.exec(figure)?.[1] ?? ''
}

test.each(Object.keys(LANGUAGES) as LanguageId[])(
  'the samples in %s are coloured by the service, and read as the plain ones',
  async language => {
    const page = await reference()
    for (const [topic, sample] of Object.entries(LANGUAGES[language].samples)) {
      const markup = sampleOf(page, topic, language)
      const plain = sample.replaceAll(BASE, `${service().url}/v1`)
      expect([topic, textOf(markup)]).toEqual([topic, plain])
      expect([topic, markup]).toEqual([topic, expect.stringContaining('<span class="s">')])
    }
    // The page's script shows the language that a reader has chosen; until then there is one.
    expect(new RegExp(`data-language="${language}" hidden`).test(page)).toBe(language !== 'curl')
  },
)

test('each place that a link of the page leads to is there', async () => {
  const page = await reference()
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  for (const id of targets) expect([id, page.includes(`id="${id}"`)]).toEqual([id, true])
  // The first one skips to the content.
  expect(targets[0]).toBe('content')
})

test.each([
  ['/', './'],
  ['/docs', 'docs'],
])('%s has a viewport, no style attribute, and one link that is marked as this page', async (page, here) => {
  const text = await (await get(page)).text()
  expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">')
  expect(text).not.toMatch(/<[^>]* style=/)
  const links = text.match(/<a [^>]*aria-current="page"[^>]*>/g)
  expect(links).toEqual([expect.stringContaining(`href="${here}"`)])
})

import { expect, test } from 'bun:test'
import { BASE } from '../../web/document.ts'
import { referenceDocument } from '../../web/reference/render.ts'
import { LANGUAGES } from '../../web/reference/samples.ts'
import { sharedService } from '../support/service.ts'

const BASE_URL = 'https://pets.example.org/v1'
const service = sharedService({ variables: { PETSTORE_BASE_URL: BASE_URL } })
const reference = async (): Promise<string> => (await fetch(`${service().url}/docs`)).text()

const IDS = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]
const TOPICS = Object.keys(LANGUAGES.curl.samples) as (keyof typeof LANGUAGES.curl.samples)[]

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, '').replaceAll(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '?')

function sampleOf(page: string, topic: string, language: string): string {
  const [, figure = ''] = page.split(`data-topic="${topic}"`)
  const code = new RegExp(`<pre [^>]*data-language="${language}"[^>]*><code>(.*?)</code></pre>`, 's')
  return code.exec(figure)?.[1] ?? ''
}

test.each(IDS)(
  'the samples in %s are coloured by the service, and read as the plain ones',
  async language => {
    const page = await reference()
    for (const topic of TOPICS) {
      const markup = sampleOf(page, topic, language)
      const plain = LANGUAGES[language].samples[topic].replaceAll(BASE, BASE_URL)
      expect([topic, textOf(markup)]).toEqual([topic, plain])
      expect([topic, markup]).toEqual([topic, expect.stringContaining('<span class="s">')])
    }
  },
)

test('each place that a link of the page leads to is there, and a section takes the focus', async () => {
  const page = await reference()
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  for (const id of targets) expect([id, page.includes(`id="${id}"`)]).toEqual([id, true])
  for (const [section] of page.matchAll(/<section [^>]*>/g)) expect(section).toContain('tabindex="-1"')
})

test('the reference has no style attribute, which its policy would block', async () => {
  expect(await reference()).not.toMatch(/<[^>]* style=/)
})

test('"Try it" sends no status unless one is chosen', async () => {
  const [, status = ''] = /<select [^>]*name="status"[^>]*>(.*?)<\/option>/s.exec(await reference()) ?? []
  expect(status).toBe('<option value="">not sent')
})

test('the reference offers the client only if it was built', () => {
  const assets = { script: { name: 'a.js' }, style: { name: 'a.css' }, icon: { name: 'a.svg' } }
  const offers = [true, false].map(isBuilt => referenceDocument(assets, isBuilt).includes('client.tgz'))
  expect(offers).toEqual([true, false])
})

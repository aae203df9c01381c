import { describe, expect, test } from 'bun:test'
import { BASE, LANGUAGES } from '../../src/pages/samples.ts'
import { sharedService } from '../support/service.ts'

const BASE_URL = 'https://pets.example.org/v1'
const service = sharedService({ variables: { PETSTORE_BASE_URL: BASE_URL } })
const reference = async (): Promise<string> => (await fetch(`${service().url}/docs`)).text()

type LanguageId = keyof typeof LANGUAGES
const IDS = Object.keys(LANGUAGES) as LanguageId[]
const TOPICS = Object.keys(LANGUAGES.curl.samples) as (keyof typeof LANGUAGES.curl.samples)[]

/** A sample as plain text, ready to paste. */
const sampleText = (language: LanguageId, topic: (typeof TOPICS)[number], baseUrl: string): string =>
  LANGUAGES[language].samples[topic].replaceAll(BASE, baseUrl)

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&' }
const textOf = (markup: string): string =>
  markup.replaceAll(/<[^>]*>/g, '').replaceAll(/&(\w+);/g, (_, name: string) => ENTITIES[name] ?? '?')

/** The markup of a sample's code. */
function sampleOf(page: string, topic: string, language: string): string {
  const [, figure = ''] = page.split(`data-topic="${topic}"`)
  const code = new RegExp(`<pre [^>]*data-language="${language}"[^>]*><code>(.*?)</code></pre>`, 's')
  return code.exec(figure)?.[1] ?? ''
}

describe('the samples of the reference', () => {
  test.each(IDS)('in %s are coloured by the service, and read as the plain ones', async language => {
    const page = await reference()
    for (const topic of TOPICS) {
      const markup = sampleOf(page, topic, language)
      expect([topic, textOf(markup)]).toEqual([topic, sampleText(language, topic, BASE_URL)])
      expect([topic, markup]).toEqual([topic, expect.stringContaining('<span class="s">')])
    }
  })

  test('colour each kind of token in its language', async () => {
    const page = await reference()
    const coloured = (topic: string, language: string, kind: string): string[] => {
      const parts = new RegExp(`<span class="${kind}">([^<]*)</span>`, 'g')
      return [...sampleOf(page, topic, language).matchAll(parts)].map(([, text = '']) => textOf(text))
    }
    expect(coloured('createPet', 'curl', 'f')).toEqual(['-i', '-H', '-H', '-d'])
    expect(coloured('createPet', 'curl', 's')).toContain(`'{"name":"Rex","categoryId":7}'`)
    expect(coloured('pages', 'curl', 'm')).toEqual([
      '# A service without a configured base URL links by path.',
    ])
    expect(coloured('listPets', 'typescript', 'n')).toEqual(['20'])
    expect(coloured('errors', 'typescript', 'k')).toContain('instanceof')
    expect(coloured('listPets', 'python', 'k').join(' ')).toBe('import import from import with as for in')
    expect(coloured('getPet', 'go', 's')).toContain('`json:"categoryId"`')
    expect(page).toContain('<span class="k">&quot;categoryId&quot;</span>: <span class="n">7</span>')
  })

  test('in curl have each option on its own line', () => {
    const lines = TOPICS.flatMap(topic => sampleText('curl', topic, BASE_URL).split('\n'))
    const options = lines.filter(line => / -[HdD] /.test(line))
    expect(options.length).toBeGreaterThan(TOPICS.length)
    for (const line of options) expect(line).toMatch(/^ +-[HdD] ("[^"]*"|'[^']*')( \\)?$/)
  })

  test('fit beside the text, but for a few lines', () => {
    const long = IDS.flatMap(id =>
      TOPICS.map(topic => sampleText(id, topic, 'http://127.0.0.1:8080/v1').split('\n')),
    ).flat()
    expect(long.filter(line => line.replaceAll('\t', '  ').length > 62).length).toBeLessThanOrEqual(4)
  })
})

test('each place that a link of the page leads to is there, and a section takes the focus', async () => {
  const page = await reference()
  const targets = [...page.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
  for (const id of targets) expect([id, page.includes(`id="${id}"`)]).toEqual([id, true])
  for (const [section] of page.matchAll(/<section [^>]*>/g)) expect(section).toContain('tabindex="-1"')
})

test('the reference has no style attribute, which its policy would block', async () => {
  expect(await reference()).not.toMatch(/<[^>]* style=/)
})

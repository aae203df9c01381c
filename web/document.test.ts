import { expect, test } from 'bun:test'
import { type HTMLElement, Window } from 'happy-dom'
import { consoleDocument } from './document.ts'
import { referenceDocument } from './reference/render.ts'

const FILES = { script: { name: 's.js' }, style: { name: 's.css' }, icon: { name: 'i.svg' } }

function opened(page: string) {
  const { document } = new Window()
  document.write(page)
  const one = (selector: string) => document.querySelector(selector) as HTMLElement
  const listed = (selector: string, ...names: string[]) =>
    [...document.querySelectorAll(selector)].map(element =>
      names.map(name => element.getAttribute(name)).join(' '),
    )
  return { document, one, listed }
}
const PAGES = { console: opened(consoleDocument(FILES)), reference: opened(referenceDocument(FILES, true)) }

test.each([
  ['console', 'Petstore · {{environment}}'],
  ['reference', 'Petstore reference · {{environment}}'],
] as const)('the %s says what it is, to browsers, search engines and readers', (page, title) => {
  const { document, one, listed } = PAGES[page]
  expect(document.title).toBe(title)
  expect([document.documentElement.lang, one('meta[charset]').getAttribute('charset')]).toEqual([
    'en',
    'utf-8',
  ])
  expect(listed('meta[name]', 'name', 'content').slice(1)).toEqual([
    'color-scheme light dark',
    'robots noindex',
  ])
  expect(one('.environment').textContent).toBe('Environment: {{environment}}')
  expect(one('.environment > .hidden').textContent).toBe('Environment: ')
  expect(listed('.header, .environment', 'class')).toEqual([
    'header header-{{environment}}',
    'environment environment-{{environment}}',
  ])
})

test.each(['console', 'reference'] as const)(
  'the %s links its files and the other page relatively, and labels its logo',
  page => {
    const { listed } = PAGES[page]
    expect(listed('link', 'rel', 'href')).toEqual(['icon assets/i.svg', 'stylesheet assets/s.css'])
    expect(listed('script', 'type', 'src')).toEqual(['module assets/s.js'])
    expect(listed('header .brand', 'href', 'aria-label')).toEqual(['./ Petstore'])
    expect(listed('header img[alt=""]', 'src')).toEqual(['assets/i.svg'])
    expect(listed('nav[aria-label=Pages] a', 'href')).toEqual(['./', 'docs'])
  },
)

test('the console has a place for its environment, and leads readers without JavaScript to the reference', () => {
  const { one, listed } = PAGES.console
  expect(listed('#app', 'data-environment')).toEqual(['{{environment}}'])
  expect(one('noscript').innerHTML).toContain('<a href="docs">API reference</a>')
  expect([listed('.skip', 'href'), PAGES.reference.listed('.skip', 'href')]).toEqual([[], ['#content']])
})

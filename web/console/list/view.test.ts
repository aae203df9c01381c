import { describe, expect, test } from 'bun:test'
import { ALL, addressOf, changed, titleOf, viewOf } from './view.ts'

const FIRST = {
  status: undefined,
  category: undefined,
  query: '',
  sort: undefined,
  rows: 50,
  page: 1,
  sheet: undefined,
} as const

const addressFor = (address: string): string => {
  const { search, hash } = new URL(address, 'http://x/')
  return addressOf(viewOf(search, hash))
}

describe('the address of a view', () => {
  test.each([
    './',
    './?status=sold',
    './?q=Rex+%26+Co',
    './?status=pending&category=-9223372036854775808&sort=-name&rows=100&page=12',
    './?status=sold#add',
    './#categories',
    './#animal=9223372036854775807',
  ])('%s leads to a view that has this address', address => expect(addressFor(address)).toBe(address))

  test.each([
    ...[
      '',
      '?',
      '?status=lost',
      '?page=0',
      '?page=-1',
      '?q=',
      '?q=+',
      '?order=up',
      '?sort=-id',
      '?rows=20',
      '?rows=0',
    ],
    ...[
      '?category=',
      '?category=dogs',
      '?category=007',
      '?category=9223372036854775808',
      '#animal=x',
      '#nothing',
    ],
  ])('what %p says and cannot be is as if it were not there', text => {
    const { search, hash } = new URL(text, 'http://x/')
    expect(viewOf(search, hash)).toEqual(FIRST)
  })
})

test.each([
  ['?status=sold&category=7', '', 'Sold animals in category 7'],
  ['?category=7', '', 'Animals in category 7'],
  ['?q=x', '#animal=7', 'Animal 7'],
  ['', '#add', 'Add an animal'],
  ['?q=x', '#import', 'Import'],
])('the title of %s%s is %s', (search, hash, title) => expect(titleOf(viewOf(search, hash))).toBe(title))

describe('a step to another view', () => {
  const view = viewOf('?status=sold&category=7&q=Rex&sort=name&rows=25&page=3', '#animal=7')

  test.each([
    [{ status: 'pending' }, './?status=pending&category=7&q=Rex&sort=name&rows=25'],
    [{ category: undefined }, './?status=sold&q=Rex&sort=name&rows=25'],
    [{ query: '' }, './?status=sold&category=7&sort=name&rows=25'],
    [{ sort: '-name' }, './?status=sold&category=7&q=Rex&sort=-name&rows=25'],
    [ALL, './?sort=name&rows=25'],
  ] as const)('that changes %p begins on its first page, without a sheet', (change, address) =>
    expect(addressOf(changed(view, change))).toBe(address),
  )

  test('to a page leads to that page', () =>
    expect(addressOf(changed(view, { page: 2 }))).toEndWith('&rows=25&page=2'))
})

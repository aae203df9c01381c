import { describe, expect, test } from 'bun:test'
import { addressOf, viewOf } from './view.ts'

const FIRST = { status: undefined, query: '', order: 'newest', page: 1, sheet: undefined } as const

describe('the address of a view', () => {
  test.each([
    './',
    './?status=sold',
    './?q=Rex+%26+Co',
    './?status=pending&order=oldest&page=12',
    './?status=sold#add',
    './#animal=9223372036854775807',
  ])('%s leads to a view that has this address', address => {
    const { search, hash } = new URL(address, 'http://x/')
    expect(addressOf(viewOf(search, hash))).toBe(address)
  })

  test.each(['', '?', '?status=lost', '?page=0', '?page=-1', '?q=', '?order=up', '#animal=x', '#nothing'])(
    'what %p says and cannot be is as if it were not there',
    text => {
      const { search, hash } = new URL(text, 'http://x/')
      expect(viewOf(search, hash)).toEqual(FIRST)
    },
  )
})

import { describe, expect, test } from 'bun:test'
import { addressOf, type ViewLimits, viewOf } from './view.ts'

const limits: ViewLimits = { statuses: ['available', 'pending', 'sold'], limitMax: 100, limitDefault: 20 }
const view = (search: string, hash = '') => viewOf(search, hash, limits)
const FIRST = { status: undefined, limit: 20, cursor: undefined, isAdding: false }

describe('the address of a view', () => {
  test.each([
    './',
    './?status=sold',
    './?limit=50',
    './?status=pending&limit=1&cursor=a-_b',
    './?status=sold#add',
  ])('%s leads to a view that has this address', address => {
    const { search, hash } = new URL(address, 'http://x/')
    expect(addressOf(view(search, hash), limits)).toBe(address)
  })

  test.each([
    '',
    '?',
    '?status=lost',
    '?limit=0',
    '?limit=101',
    '?limit=1e1',
    '?limit=020',
    '?cursor=',
    '?limit=20',
  ])('what %p says and cannot be is as if it were not there', search => expect(view(search)).toEqual(FIRST))
})

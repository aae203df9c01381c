import { describe, expect, test } from 'bun:test'
import { parseExpiry } from './expiry.ts'

const NOW = new Date('2027-01-15T12:00:00Z')

describe('parseExpiry', () => {
  test.each([
    ['45s', '2027-01-15T12:00:45.000Z'],
    ['30m', '2027-01-15T12:30:00.000Z'],
    ['12h', '2027-01-16T00:00:00.000Z'],
    ['1d', '2027-01-16T12:00:00.000Z'],
    ['90d', '2027-04-15T12:00:00.000Z'],
    ['2027-01-16', '2027-01-16T00:00:00.000Z'],
    ['2028-02-29', '2028-02-29T00:00:00.000Z'],
    ['2027-01-15T12:00:01Z', '2027-01-15T12:00:01.000Z'],
    ['2027-01-15T12:00:00.001Z', '2027-01-15T12:00:00.001Z'],
    ['2027-01-31T12:30Z', '2027-01-31T12:30:00.000Z'],
    ['2027-01-31T00:30:00+02:00', '2027-01-30T22:30:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseExpiry(text, NOW).toISOString()).toBe(expected)
  })

  test.each([
    '',
    'soon',
    '90',
    '1w',
    '1.5d',
    '-1d',
    '2027',
    '2027-02',
    '2027-02-29',
    '2027-02-30',
    '2027-13-01',
    '2027-01-16T25:00Z',
    '2027-01-16T12:00',
    '16.01.2027',
    'Jan 16 2027',
  ])('%p is neither a date, a time nor a span', text => {
    expect(() => parseExpiry(text, NOW)).toThrow('--expires takes a date')
  })

  test.each(['0d', '0h', '2027-01-15', '2027-01-15T12:00:00Z', '2020-01-01', '0001-01-01'])(
    '%p does not lie ahead',
    text => {
      expect(() => parseExpiry(text, NOW)).toThrow('must be in the future')
    },
  )
})

import { expect, test } from 'bun:test'
import { nameFor } from './build.ts'

test('a program for another machine does not take the name of the one for this machine', () => {
  expect([undefined, 'bun-linux-arm64', 'bun-darwin-x64'].map(target => nameFor(target))).toEqual([
    'petstore',
    'petstore-linux-arm64',
    'petstore-darwin-x64',
  ])
})

import { expect, test } from 'bun:test'
import { RequestContext } from '../http/endpoint.ts'
import { Draining } from './draining.ts'

test('draining waits for clients with a key, and not for health checks', async () => {
  const route = { path: '/', needsKey: false, endpoints: new Map() }
  const check = new RequestContext(new Request('http://x'), 'r1', route)
  const request = new RequestContext(new Request('http://x'), 'r2', route)
  request.keyId = 'key_1'
  const [used, checked] = [new Draining(), new Draining()]
  const traffic = setInterval(() => {
    used.count(request)
    checked.count(check)
  }, 1)
  let isOver = false
  void used.begin().then(() => {
    isOver = true
  })
  await checked.begin()
  clearInterval(traffic)
  expect(isOver).toBe(false)
})

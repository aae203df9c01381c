import { expect, spyOn, test } from 'bun:test'
import { RequestContext } from '../http/endpoint.ts'
import { Draining } from './health.ts'

test('draining waits up to 3 seconds for clients with a key, and not for health checks', async () => {
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
  const ending = used.begin().then(() => {
    isOver = true
  })
  await checked.begin()
  expect(isOver).toBe(false)
  // Clients that never stop are not waited for.
  const [clock, now] = [spyOn(performance, 'now'), performance.now()]
  clock.mockReturnValue(now + 3000)
  await ending
  clock.mockRestore()
  clearInterval(traffic)
})

test('clients without requests are waited for during half a second', async () => {
  using pausing = spyOn(Bun, 'sleep').mockResolvedValue(undefined)
  await new Draining().begin()
  expect(pausing.mock.calls).toEqual(Array(20).fill([25]))
})

test('a request during the wait restarts the half second, once', async () => {
  const draining = new Draining()
  const route = { path: '/', needsKey: true, endpoints: new Map() }
  const request = new RequestContext(new Request('http://x'), 'r1', route)
  request.keyId = 'key_1'
  using pausing = spyOn(Bun, 'sleep').mockImplementation(async () => {
    if (pausing.mock.calls.length === 10) draining.count(request)
  })
  await draining.begin()
  expect(pausing).toHaveBeenCalledTimes(30)
})

import { expect } from 'bun:test'
import { eventually } from '../../support/process.ts'
import { Haproxy, needs } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'

needs('haproxy').test(
  "HAProxy logs the client's address with the request id that the instance logs, and no key",
  async () => {
    using service = await startProcess()
    const port = Number(new URL(service.url).port)
    const proxy = await Haproxy.before([port, port, port])
    const key = `pets_live_${'c'.repeat(33)}`
    const headers = { Authorization: `Bearer ${key}`, 'X-Request-Id': 'who-was-this' }
    expect((await fetch(`${proxy.url}/v1/pets?key=${key}`, { headers })).status).toBe(401)
    const line = await eventually('its line', () =>
      proxy.text.split('\n').find(each => each.endsWith('}') && each.includes('who-was-this')),
    )
    expect(JSON.parse(line)).toMatchObject({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      client: '127.0.0.1',
      requestId: 'who-was-this',
      method: 'GET',
      status: 401,
    })
    expect(proxy.text).not.toContain(key)
    await proxy.stop()
  },
)

import { expect, test } from 'bun:test'

test('spans are those of petstore, and say of which release, environment and instance', async () => {
  const { Tracing } = await import('./traces.ts')
  let sent = ''
  await using collector = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async request => {
      // OTLP contains strings unencoded, each after its length.
      sent += Buffer.from(await request.bytes()).toString('latin1')
      return new Response()
    },
  })
  const tracing = new Tracing(collector.url.href, '1.2.3', 'staging', () => {})
  const request = { method: 'GET', route: '/', operation: 'x', status: 200, durationMs: 1, requestId: 'r' }
  tracing.inSpan(() =>
    tracing.observe({ kind: 'request', keyId: undefined, authFailure: undefined, ...request }),
  )({ headers: new Headers() })
  await tracing.close()
  const after = (name: string): string => sent.slice(sent.indexOf(name) + name.length).slice(0, 50)
  expect(after('service.name')).toMatch(/^.{4}petstore/s)
  expect(after('service.version')).toMatch(/^.{4}1\.2\.3/s)
  expect(after('service.instance.id')).toMatch(/^.{4}[0-9a-f]{8}-/s)
  expect(after('deployment.environment.name')).toMatch(/^.{4}staging/s)
})

import { afterAll, beforeAll, expect, test } from 'bun:test'
import { type CompleteResponse, petJson } from '../../support/http.ts'
import { PostgresServer } from '../../support/postgres.ts'
import { eventually } from '../../support/process.ts'
import { type Service, type ServiceProcess, startProcess } from '../../support/service.ts'
import { TcpProxy } from '../../support/tcp-proxy.ts'

const DUE_MS = 5000
/** The server does not ask for it. It must be neither in the log nor in an answer. */
const PASSWORD = 'open-sesame-7531'

/** Requests that need the database, since none can be answered from memory, and the status when they are served. */
const PROBES: readonly (readonly [served: number, ask: (service: Service) => Promise<CompleteResponse>])[] = [
  [200, service => service.fetch('/v1/pets?status=sold')],
  [404, service => service.fetch(`/v1/pets/${2n ** 62n}`)],
  [201, service => service.post(petJson({ name: 'watched' }))],
  [200, service => service.fetch('/readyz')],
]

/** Asks for everything at once; every answer is right, or a timely 503 with Retry-After. Returns how many were right. */
async function ask(service: Service): Promise<number> {
  const sentAt = performance.now()
  const answers = PROBES.map(async ([served, ask]) => {
    const { status, headers, text } = await ask(service)
    expect([status, performance.now() - sentAt < DUE_MS]).toEqual([status === 503 ? 503 : served, true])
    if (status === 503) expect([headers.has('retry-after'), text.includes(PASSWORD)]).toEqual([true, false])
    return status === served
  })
  return (await Promise.all(answers)).filter(Boolean).length
}

const until = (all: 'served' | 'refused', service: Service, withinMs = 2 * DUE_MS): Promise<true> =>
  eventually(
    `all is ${all}`,
    async () => (await ask(service)) === (all === 'served' ? PROBES.length : 0) || undefined,
    withinMs,
  )

let server: PostgresServer
let link: TcpProxy
let direct: ServiceProcess
let linked: ServiceProcess

beforeAll(async () => {
  server = await PostgresServer.create()
  link = await TcpProxy.to(server.port)
  const databaseUrl = (await server.freshDatabaseUrl()).replace('postgres@', `postgres:${PASSWORD}@`)
  direct = await startProcess({ databaseUrl })
  linked = await startProcess({ databaseUrl: databaseUrl.replace(`${server.port}`, `${link.port}`) })
})
afterAll(async () => {
  expect([await direct.stop(), await linked.stop()]).toEqual([0, 0])
  expect(direct.errors.text + linked.errors.text).toBe('')
  expect(direct.output.text).toContain('ECONNREFUSED')
  expect(direct.output.text + linked.output.text).not.toContain(PASSWORD)
  link.close()
  await server.remove()
})

const outages = [
  ['shut down', () => direct, () => server.stop(), () => server.start()],
  ['killed with -9', () => direct, () => server.crash(), () => server.start()],
  ['frozen', () => direct, () => server.freeze(), () => server.thaw()],
  ['behind a link that hangs', () => linked, () => link.hang(), () => link.resume()],
] as const

test.each(outages)(
  'while PostgreSQL is %s, reads, writes and /readyz answer 503 with Retry-After within 5 seconds, /livez stays 200, and service is back within 5 seconds of the database',
  async (_outage, service, begin, end) => {
    await until('served', service())
    await Promise.all([begin(), until('refused', service())])
    // Again, because the first time may have closed the open connections; now there are none.
    await until('refused', service())
    expect(await service().fetch('/livez')).toHaveStatus(200)
    expect((await service().fetch('/readyz')).error.message).toBe(
      'The storage cannot be used: the database is unreachable.',
    )
    await end()
    await until('served', service(), DUE_MS)
  },
)

test('while connections are terminated again and again, every request is served or answered 503 with Retry-After, and no identifiers are skipped, because nothing is lost', async () => {
  const terminate =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'"
  for (let time = 0; time < 20; time++) {
    await Promise.all([ask(direct), server.query(terminate)])
    await until('served', direct, DUE_MS)
  }
  expect((await direct.post(petJson({}))).pet.id).toBeLessThan(2n ** 20n)
})

test('a service whose database hangs still ends within 10 seconds of SIGTERM', async () => {
  server.freeze()
  const pending = PROBES.map(([, ask]) => ask(direct))
  const toldAt = performance.now()
  expect(await direct.stop()).toBe(0)
  expect(performance.now() - toldAt).toBeLessThan(10_000)
  const failures = (await Promise.all(pending)).map(({ failure }) => failure)
  const codes = PROBES.map(([served]) => (served === 201 ? 'outcome_unknown' : 'unavailable'))
  expect(failures).toEqual(codes.map(code => `503 ${code}`))
  server.thaw()
})

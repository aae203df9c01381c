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

/** Uses a service continuously while something happens to its database, and records the answers. */
class Watch {
  readonly #seen: { probe: number; status: number; isFault: boolean; sentAt: number }[] = []
  readonly #loops: Promise<void>[]
  #isOver = false

  constructor(service: Service) {
    this.#loops = PROBES.map((_, probe) => this.#loop(service, probe))
  }

  /** True once every kind of request that was sent after a moment has been served, or refused. */
  allServedSince(moment: number, isServed = true): true | undefined {
    const seen = this.#seen.filter(({ sentAt, status }) => sentAt > moment && (status !== 503) === isServed)
    return new Set(seen.map(({ probe }) => probe)).size === PROBES.length || undefined
  }

  /** Stops, and returns every answer that was neither right nor a timely 503 with Retry-After. */
  async faults(): Promise<unknown[]> {
    this.#isOver = true
    await Promise.all(this.#loops)
    return this.#seen.filter(({ isFault }) => isFault)
  }

  async #loop(service: Service, probe: number): Promise<void> {
    const [served, ask] = PROBES[probe] as (typeof PROBES)[number]
    while (!this.#isOver) {
      const sentAt = performance.now()
      const { status, headers, text } = await ask(service)
      const isRight =
        status === served || (status === 503 && headers.has('retry-after') && !text.includes(PASSWORD))
      this.#seen.push({ probe, status, isFault: !isRight || performance.now() - sentAt > DUE_MS, sentAt })
      await Bun.sleep(25)
    }
  }
}

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
    const watch = new Watch(service())
    await eventually('all is served', () => watch.allServedSince(0))
    const began = performance.now()
    await begin()
    await eventually('all is refused', () => watch.allServedSince(began, false), 2 * DUE_MS)
    // Again, because the first time may have closed the open connections; now there are none.
    const refused = performance.now()
    await eventually('all is refused again', () => watch.allServedSince(refused, false), 2 * DUE_MS)
    expect(await service().fetch('/livez')).toHaveStatus(200)
    expect((await service().fetch('/readyz')).error.message).toBe(
      'The storage cannot be used: the database is unreachable.',
    )
    await end()
    const ended = performance.now()
    await eventually('all is served again', () => watch.allServedSince(ended), DUE_MS)
    expect(await watch.faults()).toEqual([])
  },
)

test('while connections are terminated again and again, every request is served or answered 503 with Retry-After, and no identifiers are skipped, because nothing is lost', async () => {
  const watch = new Watch(direct)
  for (let time = 0; time < 20; time++) {
    await server.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'petstore'",
    )
    const terminated = performance.now()
    await eventually('all is served again', () => watch.allServedSince(terminated), DUE_MS)
  }
  expect(await watch.faults()).toEqual([])
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

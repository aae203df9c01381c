import { expect } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import { RawConnection } from '../../support/http/raw-http.ts'
import { needs } from '../../support/programs/needs.ts'
import { program } from '../../support/programs/program.ts'
import { freshSqliteUrl } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { API_KEY } from '../../support/service/service.ts'
import { type ServiceProcess, startProcess } from '../../support/service/service-process.ts'
import { measured } from './support/form.ts'
import { IdleConnections } from './support/idle-connections.ts'
import { coreUse, openDescriptors } from './support/proc.ts'

const DESCRIPTORS = 100
/** The share of a core that an idle service may use. */
const AT_REST = 0.2

/** Sends one request on an open connection. */
async function addOn(connection: RawConnection): Promise<number> {
  const body = petJson({ name: 'connected before' })
  const head = [
    'POST /v1/pets HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${API_KEY}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  connection.send(`${head.join('\r\n')}\r\n\r\n${body}`)
  return (await connection.read()).status
}

const isServing = async (service: ServiceProcess): Promise<boolean> =>
  (await service.post(petJson({}))).status === 201 && (await service.fetch('/readyz')).status === 200

needs('prlimit', 'root').test.each(['before', 'after'])(
  'out of file descriptors, %s the first write: those connected are served, no core spins, nothing crashes, and it recovers',
  async moment => {
    const service = await startProcess({
      databaseUrl: await freshSqliteUrl(),
      within: [program('prlimit'), `--nofile=${DESCRIPTORS}:${DESCRIPTORS}`],
    })
    const { pid } = service.process
    if (moment === 'after') expect(await isServing(service)).toBe(true)
    const connected = new RawConnection(service.url)
    connected.send('GET /livez HTTP/1.1\r\nHost: x\r\n\r\n')
    expect((await connected.read()).status).toBe(200)
    const idle = new IdleConnections()
    await idle.open(service.url, 3 * DESCRIPTORS)
    await eventually('it is out of descriptors', () => openDescriptors(pid) >= DESCRIPTORS || undefined)
    await service.output.entry(({ event }) => event === 'out-of-descriptors')
    const use = await coreUse(pid, 3000)
    const slowest: number[] = []
    for (let n = 0; n < 20; n++) {
      const since = performance.now()
      expect(await addOn(connected)).toBe(201)
      slowest.push(performance.now() - since)
    }
    idle.end()
    await eventually('it recovers', () => openDescriptors(pid) < DESCRIPTORS / 2 || undefined)
    expect(await isServing(service)).toBe(true)
    measured(
      `out of file descriptors, ${moment} the first write`,
      `${(use * 100).toFixed(0)} % of a core, 20 of 20 writes on an open connection served, the slowest in ${Math.round(Math.max(...slowest))} ms; recovered`,
    )
    expect(use).toBeLessThan(AT_REST)
    connected.end()
    expect(await service.stop()).toBe(0)
  },
)

import { expect, test } from 'bun:test'
import { petJson } from '../../support/http/exact.ts'
import { walk } from '../../support/http/walk.ts'
import { balance, Load } from '../../support/load/load.ts'
import { onEveryEngineAsProcess } from '../../support/service/engines.ts'
import { scrape } from '../../support/service/metrics.ts'
import { eventually } from '../../support/service/process.ts'
import { childrenOf, isAlive } from '../../support/service/processes.ts'
import type { ServiceProcess } from '../../support/service/service-process.ts'

const PROCESSES = 3
const ANIMALS_BETWEEN = 100

const processesOf = ({ process }: ServiceProcess): number[] => childrenOf(process.pid)
const eventsOf = ({ output }: ServiceProcess, wanted: string) =>
  output.log.filter(({ event }) => event === wanted)
const readiness = async (service: ServiceProcess): Promise<unknown> =>
  (await (await fetch(`${service.url}/readyz`)).json()) as unknown

/** Opens a new connection, which the system assigns to any of the processes. */
const ALONE = { Connection: 'close' }

/** Kills with `kill -9`; resolves when another process serves in its place. */
async function killAndAwait(service: ServiceProcess, pid: number): Promise<void> {
  process.kill(pid, 'SIGKILL')
  await eventually('it is gone', () => !processesOf(service).includes(pid) || undefined)
  await eventually('all processes serve', async () => {
    const { processes } = (await readiness(service)) as { processes?: { serving: number } }
    return (processes?.serving === PROCESSES && processesOf(service).length === PROCESSES) || undefined
  })
}

async function metricsOf({ output }: ServiceProcess) {
  const { url } = await output.entry(({ event }) => event === 'metrics-listening')
  return scrape(String(url))
}

const storedIn = async (service: ServiceProcess) =>
  (await walk(service, '/v1/pets?limit=100')).pets.map(({ id, name }) => ({ id: String(id), name }))

onEveryEngineAsProcess(
  `${PROCESSES} processes on one port`,
  service => {
    test('are announced once, and /readyz counts them', async () => {
      expect(eventsOf(service(), 'listening')).toMatchObject([{ processes: PROCESSES }])
      expect(await readiness(service())).toEqual({
        status: 'ok',
        processes: { serving: PROCESSES, wanted: PROCESSES },
      })
    })

    test('show every animal at once, whichever of them it was added through', async () => {
      for (let n = 0; n < 40; n++) {
        const { pet } = await service().post(petJson({ name: `seen ${n}` }), ALONE)
        const answers = await Promise.all(
          Array.from({ length: PROCESSES * 2 }, () =>
            service().fetch('/v1/pets?limit=100', { headers: ALONE }),
          ),
        )
        for (const { pets } of answers) expect(pets.at(-1)).toEqual(pet)
      }
    })

    test('add up their metrics, and count no less when one of them is killed', async () => {
      const created = 'petstore_requests_total{operation="createPet",status="201"}'
      const before = (await metricsOf(service())).get(created) as number
      await Promise.all(
        Array.from({ length: 30 }, (_, n) => service().post(petJson({ name: `counted ${n}` }), ALONE)),
      )
      const counted = await metricsOf(service())
      expect(counted.get(created)).toBe(before + 30)
      expect(counted.get('petstore_processes')).toBe(PROCESSES)
      await killAndAwait(service(), processesOf(service())[0] as number)
      const after = await metricsOf(service())
      expect(after.get(created)).toBe(before + 30)
      expect(after.get('petstore_process_restarts_total')).toBe(1)
    })

    test('lose nothing and answer again at once when each of them is killed under load', async () => {
      const load = new Load(() => service().url)
      for (const pid of processesOf(service())) {
        const before = load.acknowledged.size
        await killAndAwait(service(), pid)
        await eventually(
          'animals are added',
          () => load.acknowledged.size - before > ANIMALS_BETWEEN || undefined,
        )
      }
      await load.stop()
      // Requests whose connection was cut got no answer; all answers must be true.
      expect(balance(load, await storedIn(service()))).toMatchObject({
        lost: [],
        duplicated: [],
        foreign: [],
      })
      expect(eventsOf(service(), 'process-ended')).toHaveLength(1 + PROCESSES)
    })

    test('are replaced one by one on SIGHUP without a failed request', async () => {
      const old = processesOf(service())
      const load = new Load(() => service().url)
      await eventually('animals are added', () => load.acknowledged.size > ANIMALS_BETWEEN || undefined)
      service().signal('SIGHUP')
      await service().output.entry(({ event }) => event === 'reloaded')
      await load.stop()
      expect(processesOf(service()).some(pid => old.includes(pid))).toBe(false)
      expect(balance(load, await storedIn(service()))).toMatchObject({ lost: [], foreign: [] })
      expect(load.unexpected).toEqual([])
      expect(load.unavailable).toBe(0)
    })

    test('write whole lines into one log', () => {
      for (const line of service().output.lines) expect(() => JSON.parse(line)).not.toThrow()
      expect(service().errors.text).toBe('')
    })

    test('drain together, and what was under way is answered', async () => {
      const load = new Load(() => service().url)
      await eventually('animals are added', () => load.acknowledged.size > ANIMALS_BETWEEN || undefined)
      const pids = processesOf(service())
      expect(await service().stop()).toBe(0)
      await load.stop()
      expect(eventsOf(service(), 'draining')).toHaveLength(1)
      expect(eventsOf(service(), 'stopped')).toMatchObject([{ unanswered: 0 }])
      expect(pids.some(isAlive)).toBe(false)
    })
  },
  { variables: { PETSTORE_PROCESSES: String(PROCESSES), PETSTORE_METRICS_PORT: '0' } },
)

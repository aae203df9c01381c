import { check, type Violation } from '../../tests/support/linearizability/check.ts'
import { Clients } from '../../tests/support/linearizability/clients.ts'
import { eventually } from '../../tests/support/service/process.ts'
import { startService } from '../../tests/support/service/service.ts'
import { seeded } from '../../tests/thorough/faults/support/seed.ts'
import type { Cluster } from './cluster.ts'

const CLIENTS = 8
/** Acknowledged before a disturbance, and after it. */
const ENOUGH = 200
const SLOWLY_MS = 180_000

export interface Outcome {
  readonly acknowledged: number
  readonly violations: readonly Violation[]
  readonly unexpected: readonly string[]
  /** The longest time in which no animal was acknowledged. */
  readonly gapSeconds: number
}

/**
 * Clients use two instances as if they were one, the first through HAProxy and the second with all servers in its URL,
 * while something happens to the database. The linearizability check reports an animal that is lost, duplicated or
 * missing from a read as a violation of one of its rules.
 */
export async function attack(cluster: Cluster, part: number, disturb: () => Promise<void>): Promise<Outcome> {
  const { throughHaproxy, ofAll } = cluster.urls(await cluster.freshDatabase())
  const instances = [
    await startService({ databaseUrl: throughHaproxy }),
    await startService({ databaseUrl: ofAll }),
  ]
  const clients = new Clients(() => instances.map(({ url }) => url), seeded('requests', part), CLIENTS)
  const acknowledged = (): number[] =>
    clients.history.flatMap(operation =>
      operation.kind === 'create' && operation.shown !== undefined ? operation.ended : [],
    )
  const more = async (): Promise<void> => {
    const before = acknowledged().length
    const isEnough = (): true | undefined => acknowledged().length > before + ENOUGH || undefined
    await eventually('animals are acknowledged', isEnough, SLOWLY_MS)
  }
  await more()
  await disturb()
  await more()
  await clients.stop()
  for (const instance of instances) await instance.stop()
  const times = acknowledged().toSorted((one, other) => one - other)
  const gaps = times.map((time, place) => time - (times[place - 1] ?? time))
  return {
    acknowledged: times.length,
    violations: check(clients.history),
    unexpected: clients.unexpected,
    gapSeconds: Math.max(...gaps) / 1000,
  }
}

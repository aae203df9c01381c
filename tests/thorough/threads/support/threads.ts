import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atOnce, eventually, type LogLine, type Variables } from '../../../support/process.ts'
import { type ServiceProcess, startProcess } from '../../../support/service.ts'
import type { Endings } from './ending-threads.ts'

export const THREADS = 4
/** Opens a new connection, which the system assigns to any of the threads. */
export const ALONE = { Connection: 'close' }
/** So many new connections that every thread gets some of them. */
const CONNECTIONS = 40

/** A service of several threads. */
export const startThreads = (variables: Variables = {}): Promise<ServiceProcess> =>
  startProcess({ variables: { PETSTORE_THREADS: String(THREADS), ...variables } })

/** The variables of a service whose threads end between two SIGUSR2. */
export const endingThreads = (endings: Endings): Variables => ({
  BUN_OPTIONS: `--preload ${join(import.meta.dir, 'ending-threads.ts')}`,
  ENDINGS: JSON.stringify(endings),
})

export const eventsOf = ({ output }: ServiceProcess, wanted: string): LogLine[] =>
  output.log.filter(({ event }) => event === wanted)

/** Waits until this many more threads have ended. */
export async function untilEnded(service: ServiceProcess, count: number): Promise<void> {
  const enough = eventsOf(service, 'thread-ended').length + count
  const areEnded = () => eventsOf(service, 'thread-ended').length >= enough || undefined
  await eventually(`${count} threads end`, areEnded)
}

/** The threads that listen on the port of a service. */
export function listenersOf({ url }: ServiceProcess): number {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
  // The local address, the remote one, and the state: 0A is LISTEN.
  const listening = new RegExp(`^ *\\d+: \\w+:${port} \\w+:0000 0A `, 'gm')
  return readFileSync('/proc/net/tcp', 'utf8').match(listening)?.length ?? 0
}

/** The statuses of requests over new connections, which are open at the same time. */
export const statusesOf = (service: ServiceProcess, target: string): Promise<number[]> =>
  atOnce(CONNECTIONS, async () => (await service.fetch(target, { headers: ALONE })).status)

/** Waits until all threads listen, and are ready. */
export const untilReady = (service: ServiceProcess): Promise<true> =>
  eventually('all threads are ready', async () => {
    if (listenersOf(service) !== THREADS) return undefined
    // A thread that is being ended may still have its port.
    const statuses = await statusesOf(service, '/readyz').catch(() => [0])
    return statuses.every(status => status === 200) || undefined
  })

import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** Together with the time to connect and to prove, it stays below the 5 seconds within which a request must be answered. */
export const QUERY_MS = 2000
/** A server that hangs does not confirm a close either. */
const CLOSE_MS = 1000
const IDLE_MS = 60_000
/** Session settings last until the session ends. Sessions end regularly to pick up a stricter server configuration. */
const MAX_LIFETIME_S = 600

/** Settings that a server may refuse at connection start are made later: a pooler accepts no time-outs there. */
export function openPool(connectionString: string, options: pg.PoolConfig, onBreak: () => void): pg.Pool {
  const pool = new pg.Pool({
    ...options,
    connectionString,
    application_name: 'petstore',
    keepAlive: true,
    query_timeout: QUERY_MS,
    idleTimeoutMillis: IDLE_MS,
    maxLifetimeSeconds: MAX_LIFETIME_S,
  })
  // The pool drops an idle connection that breaks; the next request opens another.
  pool.on('error', () => {})
  // A broken connection, idle or in use, emits an error event. Without a listener the runtime would treat it as uncaught.
  pool.on('connect', client => client.on('error', onBreak))
  return pool
}

export const stateOf = ({ totalCount, idleCount, waitingCount, options }: pg.Pool) => ({
  open: totalCount,
  idle: idleCount,
  waiting: waitingCount,
  max: options.max,
})

export async function endPools(pools: readonly pg.Pool[]): Promise<void> {
  await Promise.race([Promise.all(pools.map(pool => pool.end())), sleep(CLOSE_MS)])
}

export const hostOf = (url: string): string => decodeURIComponent(new URL(url).host)

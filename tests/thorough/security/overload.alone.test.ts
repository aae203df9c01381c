import { afterAll, expect } from 'bun:test'
import { petJson } from '../../support/http.ts'
import { Load } from '../../support/load.ts'
import { query } from '../../support/postgres.ts'
import { eventually, pathOf, petstore } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { type Engine, engines, type ServiceProcess, startProcess } from '../../support/service.ts'
import { programBelow, residentBytes } from '../faults/support/system.ts'
import { Flood, KEY, MIB, postHead, quantile } from './support/clients.ts'

const COMMIT_MS = 200
/** A commit stores 512 at most, so this is more than is stored in a second. */
const AT_ONCE = 4000
const ROUNDS = 5
/** A second is promised; a busy machine adds its own time to reading 4,000 responses. */
const IN_TIME_MS = 3000
const BODY = petJson({})

const pids: number[] = []
afterAll(() => {
  for (const pid of pids) process.kill(pid, 'SIGKILL')
})

/** Starts a service with slow commits, as on a slow disk, so that its capacity does not depend on this machine. */
async function startOnSlowStorage(engine: Engine): Promise<ServiceProcess> {
  const databaseUrl = await engine.freshDatabaseUrl()
  if (engine.name === 'sqlite') {
    // Only syncs of the log are delayed (-P), and only syncs are traced, so that everything else runs at full speed.
    const options = '-f --seccomp-bpf -qq -o /dev/null -e trace=fsync,fdatasync'.split(' ')
    const delay = `inject=fsync,fdatasync:delay_exit=${COMMIT_MS * 1000}`
    const slow = ['-P', `${pathOf(databaseUrl)}-wal`, '-e', delay]
    return startProcess({ databaseUrl, within: [program('strace'), ...options, ...slow] })
  }
  const service = await startProcess({ databaseUrl })
  const sleep = `BEGIN PERFORM pg_sleep(${COMMIT_MS / 1000}); RETURN NULL; END`
  await query(databaseUrl, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ ${sleep} $$`)
  const sql = 'CREATE TRIGGER slow AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION slow()'
  await query(databaseUrl, sql)
  return service
}

needs('strace').test.each(engines)('more than $name can carry: a timely 201 or early 503', async engine => {
  const service = await startOnSlowStorage(engine)
  const pid = programBelow(service.process.pid)
  pids.push(pid)
  // The first commits show how long one takes.
  for (let n = 0; n < 5; n++) await service.post(BODY)
  const memory: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const flood = new Flood(service.url, AT_ONCE, postHead(KEY, `Content-Length: ${BODY.length}`) + BODY)
    await eventually('all are answered', () => flood.answers.length === AT_ONCE || undefined)
    flood.end()
    expect(flood.statuses).toEqual(new Set([201, 503]))
    const times = (wanted: number) =>
      flood.answers.filter(({ status }) => status === wanted).map(({ ms }) => ms)
    expect(quantile(times(201), 0.99)).toBeLessThan(IN_TIME_MS)
    expect(quantile(times(503), 0.5)).toBeLessThan(quantile(times(201), 0.5))
    const since = performance.now()
    expect(await service.post(BODY)).toHaveStatus(201)
    expect(performance.now() - since).toBeLessThan(IN_TIME_MS)
    memory.push(residentBytes(pid) / MIB)
  }
  expect(Math.max(...memory.slice(2)) - Math.max(...memory.slice(0, 2))).toBeLessThan(64)
  const load = new Load(() => service.url, 8)
  for (const command of ['create --name mine', 'revoke mine --yes', 'create --name other']) {
    const { databaseUrl } = service.options
    // A command that never gets the lock fails.
    const ran = await petstore(['keys', ...command.split(' ')], { DATABASE_URL: databaseUrl })
    expect([ran.code, ran.code === 0 ? '' : ran.stderr]).toEqual([0, ''])
  }
  await eventually('animals are added', () => load.acknowledged.size > 0 || undefined)
  await load.stop()
  expect(load.unexpected).toEqual([])
})

import { query } from '../../../support/postgres.ts'
import { pathOf } from '../../../support/process.ts'
import { program } from '../../../support/programs.ts'
import { type Engine, type ServiceProcess, startProcess } from '../../../support/service.ts'

/** Starts a service with slow commits, as on a slow disk, so that its capacity does not depend on this machine. */
export async function startOnSlowStorage(engine: Engine, commitMs: number): Promise<ServiceProcess> {
  const databaseUrl = await engine.freshDatabaseUrl()
  if (engine.name === 'sqlite') {
    // Only syncs of the log are delayed (-P), and only syncs are traced, so that everything else runs at full speed.
    const options = '-f --seccomp-bpf -qq -o /dev/null -e trace=fsync,fdatasync'.split(' ')
    const delay = `inject=fsync,fdatasync:delay_exit=${commitMs * 1000}`
    const slow = ['-P', `${pathOf(databaseUrl)}-wal`, '-e', delay]
    return startProcess({ databaseUrl, within: [program('strace'), ...options, ...slow] })
  }
  const service = await startProcess({ databaseUrl })
  const sleep = `BEGIN PERFORM pg_sleep(${commitMs / 1000}); RETURN NULL; END`
  await query(databaseUrl, `CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ ${sleep} $$`)
  const sql = 'CREATE TRIGGER slow AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION slow()'
  await query(databaseUrl, sql)
  return service
}

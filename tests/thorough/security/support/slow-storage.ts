import { query } from '../../../support/postgres.ts'
import { program } from '../../../support/programs.ts'
import type { Engine } from '../../../support/service.ts'
import { type ServiceProcess, startProcess } from '../../../support/service.ts'
import { pathOf } from '../../faults/support/stored.ts'

/** Starts a service with slow commits, as on a slow disk, so that its capacity does not depend on this machine. */
export async function startOnSlowStorage(engine: Engine, commitMs: number): Promise<ServiceProcess> {
  const databaseUrl = await engine.freshDatabaseUrl()
  if (engine.name === 'sqlite')
    return startProcess({ databaseUrl, within: slowSyncs(pathOf(databaseUrl), commitMs) })
  const service = await startProcess({ databaseUrl })
  await slowCommits(databaseUrl, commitMs)
  return service
}

/** Delays only syncs of the log (`-P`) and traces only syncs (`--seccomp-bpf`), so that everything else runs at full speed. */
function slowSyncs(path: string, ms: number): string[] {
  const calls = 'fsync,fdatasync'
  const quiet = [program('strace'), ...'-f --seccomp-bpf -qq -o /dev/null'.split(' ')]
  const slow = [`trace=${calls}`, `inject=${calls}:delay_exit=${ms * 1000}`].flatMap(how => ['-e', how])
  return [...quiet, '-P', `${path}-wal`, ...slow]
}

async function slowCommits(databaseUrl: string, ms: number): Promise<void> {
  await query(
    databaseUrl,
    `
    CREATE FUNCTION slow() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(${ms / 1000}); RETURN NULL; END $$;
    CREATE TRIGGER slow AFTER INSERT ON pets FOR EACH STATEMENT EXECUTE FUNCTION slow()`,
  )
}

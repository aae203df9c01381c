import { pathOf } from '../../faults/support/stored.ts'
import { query } from '../../support/postgres/server.ts'
import { program } from '../../support/programs/program.ts'
import type { Engine } from '../../support/service/engines.ts'
import { type Service, startService } from '../../support/service/service.ts'

/** A service whose every commit takes its time, as on a slow disk: what it can carry does not depend on this machine. */
export async function startOnSlowStorage(engine: Engine, commitMs: number): Promise<Service> {
  const databaseUrl = await engine.freshDatabaseUrl()
  if (engine.name === 'sqlite')
    return startService({ databaseUrl, within: slowSyncs(pathOf(databaseUrl), commitMs) })
  const service = await startService({ databaseUrl })
  await slowCommits(databaseUrl, commitMs)
  return service
}

/** Only syncs of the log are held up (`-P`), and only syncs are looked at (`--seccomp-bpf`): all else is as fast as ever. */
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
    CREATE TRIGGER slow AFTER UPDATE ON pet_counter FOR EACH STATEMENT EXECUTE FUNCTION slow()`,
  )
}

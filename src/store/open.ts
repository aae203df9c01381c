import { resolve } from 'node:path'
import type { Environment } from '../contract/servers.ts'
import type { Observe } from '../observability/events.ts'
import { OperatorError } from '../operator-error.ts'
import type { BackupOptions, BackupReport, RestoreOptions, RestoreReport } from './backup.ts'
import type { Diagnosis } from './diagnosis.ts'
import { type Caller, PATIENCE } from './patience.ts'
import { openSqliteStore } from './sqlite/store.ts'
import type { Store } from './store.ts'
import type { CopyTarget, Snapshot, Stage } from './transfer.ts'

const SQLITE = 'sqlite:'
const POSTGRES = /^postgres(?:ql)?:\/\//
const BACK_UP_POSTGRES =
  'PostgreSQL makes its own backups: use pg_dump for a copy, or base backups with archived WAL to go back to any moment.'
const RESTORE_POSTGRES =
  'PostgreSQL restores its own backups: use pg_restore for a dump, or point-in-time recovery from a base backup.'

export interface Opening {
  /** Whether a database is made where there is none. */
  readonly create: boolean
  readonly observe?: Observe
  readonly caller?: Caller
}

/** Opens the store that a DATABASE_URL names: this is the one file that knows every engine. */
export async function openStore(
  databaseUrl: string,
  environment: Environment,
  { create, observe = () => {}, caller = 'command' }: Opening,
): Promise<Store> {
  if (isPostgres(databaseUrl)) {
    // Loaded only where it is used: it would double the time to start on the embedded store.
    const { openPostgresStore } = await import('./postgres/store.ts')
    return openPostgresStore(databaseUrl, publicNameOf(databaseUrl), environment, { create, observe })
  }
  return openSqliteStore(pathOf(databaseUrl), environment, { create, observe, patience: PATIENCE[caller] })
}

/** Opens a database to read all of it as it is now. */
export async function openSnapshot(databaseUrl: string, environment: Environment): Promise<Snapshot> {
  if (isPostgres(databaseUrl)) {
    const { openPostgresSnapshot } = await import('./postgres/transfer/snapshot.ts')
    return openPostgresSnapshot(databaseUrl, publicNameOf(databaseUrl), environment)
  }
  const { openSqliteSnapshot } = await import('./sqlite/transfer/snapshot.ts')
  return openSqliteSnapshot(pathOf(databaseUrl), environment)
}

/** Opens an empty database, or one that an interrupted copy left, to copy another one into it. */
export async function openCopyTarget(databaseUrl: string, environment: Environment): Promise<CopyTarget> {
  if (isPostgres(databaseUrl)) {
    const { openPostgresCopyTarget } = await import('./postgres/transfer/copy-target.ts')
    return openPostgresCopyTarget(databaseUrl, publicNameOf(databaseUrl), environment)
  }
  const { openSqliteCopyTarget } = await import('./sqlite/transfer/copy-target.ts')
  return openSqliteCopyTarget(pathOf(databaseUrl), environment)
}

/** Opens a place to gather many animals before they are added. */
export async function openStage(
  databaseUrl: string,
  environment: Environment,
  { create }: Opening,
): Promise<Stage> {
  if (isPostgres(databaseUrl)) {
    const { openPostgresStage } = await import('./postgres/transfer/stage.ts')
    return openPostgresStage(databaseUrl, publicNameOf(databaseUrl), environment, create)
  }
  const { openSqliteStage } = await import('./sqlite/transfer/stage.ts')
  return openSqliteStage(pathOf(databaseUrl), environment, create)
}

const isPostgres = (databaseUrl: string): boolean => POSTGRES.test(databaseUrl)

function pathOf(databaseUrl: string): string {
  if (databaseUrl.startsWith(SQLITE)) return databaseUrl.slice(SQLITE.length)
  throw new OperatorError('DATABASE_URL must start with sqlite: or postgres://.', { exit: 'invalid' })
}

/** Copies an embedded database to a file, whether or not a service is using it. */
export async function backUpStore(
  databaseUrl: string,
  environment: Environment,
  options: BackupOptions,
): Promise<BackupReport> {
  const path = embeddedPath(databaseUrl, BACK_UP_POSTGRES)
  const { backUpSqlite } = await import('./sqlite/backup/backup.ts')
  return backUpSqlite({ path, environment, ...options })
}

/** Puts a backup in the place of an embedded database that nobody is using. */
export async function restoreStore(
  databaseUrl: string,
  environment: Environment,
  options: RestoreOptions,
): Promise<RestoreReport> {
  const path = embeddedPath(databaseUrl, RESTORE_POSTGRES)
  const { restoreSqlite } = await import('./sqlite/backup/restore.ts')
  return restoreSqlite(path, environment, options)
}

/** The mark of the database that a DATABASE_URL names. */
export async function identifyStore(databaseUrl: string, environment: Environment): Promise<string> {
  if (isPostgres(databaseUrl)) {
    const { identifyPostgres } = await import('./postgres/connection/identify.ts')
    return identifyPostgres(databaseUrl, publicNameOf(databaseUrl), environment)
  }
  const { identifySqlite } = await import('./sqlite/file/identify.ts')
  return identifySqlite(pathOf(databaseUrl), environment)
}

/** Looks at the database that a DATABASE_URL names, without changing anything. */
export async function diagnoseStore(databaseUrl: string, environment: Environment): Promise<Diagnosis> {
  if (POSTGRES.test(databaseUrl)) {
    const { diagnosePostgres } = await import('./postgres/diagnose.ts')
    return diagnosePostgres(databaseUrl, publicNameOf(databaseUrl), environment)
  }
  const { diagnoseSqlite } = await import('./sqlite/diagnose/diagnose.ts')
  return diagnoseSqlite(databaseUrl.slice(SQLITE.length), environment)
}

/** Whether a file belongs to the store, so that writing it would destroy animals. */
export async function isPartOfStore(databaseUrl: string, file: string): Promise<boolean> {
  if (!databaseUrl.startsWith(SQLITE)) return false
  const { isPartOfDatabase } = await import('./sqlite/file/names.ts')
  return isPartOfDatabase(databaseUrl.slice(SQLITE.length), file)
}

function embeddedPath(databaseUrl: string, instead: string): string {
  if (databaseUrl.startsWith(SQLITE)) return databaseUrl.slice(SQLITE.length)
  throw new OperatorError(instead)
}

/** Where people find a database, from whatever folder they look. */
export const placeOf = (databaseUrl: string): string =>
  isPostgres(databaseUrl) ? publicNameOf(databaseUrl) : resolve(pathOf(databaseUrl))

/** A DATABASE_URL as people may see it: without user, password and parameters. */
export const publicNameOf = (databaseUrl: string): string =>
  databaseUrl.replace(/^(postgres(?:ql)?:\/\/)(?:[^/]*@)?([^?]*).*$/s, '$1$2')

export function sameDatabase(one: string, other: string): boolean {
  const place = (url: string): string => (isPostgres(url) ? url : resolve(pathOf(url)))
  return place(one) === place(other)
}

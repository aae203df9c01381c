import { existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Environment } from '../../environment.ts'
import { OperatorError } from '../../operator-error.ts'
import type { RestoreOptions, RestoreReport } from '../backup.ts'
import { carryOver } from './backup-carry-over.ts'
import { contentsOf, reading } from './backup-contents.ts'
import { discard, verifiedCopy } from './backup-copy.ts'
import { syncPath } from './backup-sync.ts'
import { holdTarget, stateOfTarget, type TargetState } from './backup-target.ts'
import { handOver } from './ownership.ts'

/** Puts a backup in the place of a database, all of it at once or not at all. */
export function restoreSqlite(
  path: string,
  environment: Environment,
  options: RestoreOptions,
): RestoreReport {
  const target = existsSync(path) ? realpathSync(path) : resolve(path)
  if (!existsSync(options.file)) throw new OperatorError(`There is no file ${options.file}.`)
  if (realpathSync(options.file) === target)
    throw new OperatorError(`${options.file} is the database itself. Name a backup of it.`)
  const state = stateOfTarget(target, environment)
  if (state !== 'nothing' && !options.force)
    throw new OperatorError(
      `The database ${path} ${state === 'data' ? 'is not empty' : 'is damaged'}. --force puts the backup in its place and keeps it under another name.`,
    )
  const incoming = `${target}.restoring`
  try {
    mkdirSync(dirname(target), { recursive: true })
    verifiedCopy(options.file, incoming, environment)
    handOver(incoming, existsSync(target) ? target : dirname(target))
    return replace(target, state, incoming, options.nextId)
  } catch (error) {
    discard(incoming)
    if (error instanceof OperatorError) throw error
    throw new OperatorError(`${options.file} cannot be restored: ${(error as Error).message}.`, {
      cause: error,
    })
  }
}

function replace(
  target: string,
  state: TargetState,
  incoming: string,
  nextId: bigint | undefined,
): RestoreReport {
  const held = holdTarget(target, state)
  try {
    const revokedAgain = carryOver(incoming, held.database, nextId)
    const contents = reading(incoming, contentsOf)
    syncPath(incoming)
    const aside = freeName(`${target}.replaced-${timestamp()}`)
    if (state !== 'nothing' || held.database === undefined) held.keep(aside)
    renameSync(incoming, target)
    syncPath(dirname(target))
    const kept = existsSync(aside) ? aside : undefined
    return { ...contents, kept, knowsWhatCameAfter: held.database !== undefined, revokedAgain }
  } finally {
    held.release()
  }
}

/** Two restores may fall into the same second. */
function freeName(name: string): string {
  for (let count = 1; ; count++) {
    const found = count === 1 ? name : `${name}-${count}`
    if (!existsSync(found)) return found
  }
}

const timestamp = (): string => new Date().toISOString().replaceAll(/\.\d+|[-:]/g, '')

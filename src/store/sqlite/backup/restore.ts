import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Environment } from '../../../contract/servers.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import { beginDraft, type FileDraft } from '../../../files/draft.ts'
import { followPath } from '../../../files/follow-path.ts'
import { createPrivateFolder } from '../../../files/private.ts'
import { explained, InvalidInput, OperatorError } from '../../../operator-error.ts'
import type { RestoreOptions, RestoreReport } from '../../backup.ts'
import { inspect } from '../file/inspect.ts'
import { carryOver } from './carry-over.ts'
import { contentsOf, reading } from './contents.ts'
import { verifiedCopy } from './copy.ts'
import { holdTarget, stateOfTarget, type TargetState } from './target.ts'

/** Replaces a database with a backup, completely or not at all. */
export function restoreSqlite(
  path: string,
  environment: Environment,
  options: RestoreOptions,
): RestoreReport {
  const target = followPath(path).path
  if (!existsSync(options.file))
    throw new OperatorError(`There is no file ${options.file}.`, { exit: 'missing' })
  if (realpathSync(options.file) === target)
    throw new InvalidInput(`${options.file} is the database itself. Name a backup of it.`)
  return explained(
    reason => `${options.file} cannot be restored: ${reason}.`,
    () => {
      inspect(options.file, environment)
      return asOwnerOf(target, () => restoreTo(target, environment, options))
    },
  )
}

/** While the draft exists, no service opens the database and no other restore changes it. */
function restoreTo(target: string, environment: Environment, options: RestoreOptions): RestoreReport {
  createPrivateFolder(dirname(target))
  using draft = beginDraft(target)
  const state = stateOfTarget(target, environment)
  if (state !== 'nothing' && !options.force)
    throw new InvalidInput(
      `The database ${target} ${state === 'data' ? 'is not empty' : 'is damaged'}. --force replaces it with the backup and keeps it under another name.`,
    )
  verifiedCopy(options.file, draft, environment)
  return replace(draft, state, options)
}

function replace(draft: FileDraft, state: TargetState, options: RestoreOptions): RestoreReport {
  const { target, path: incoming } = draft
  const held = holdTarget(target, state)
  try {
    const revokedAgain = carryOver(incoming, held.database, options)
    const contents = reading(incoming, contentsOf)
    const aside = freeName(`${target}.replaced-${timestamp()}`)
    if (state !== 'nothing' || held.database === undefined) held.keep(aside)
    draft.publish({ replace: true })
    const kept = existsSync(aside) ? aside : undefined
    return { ...contents, kept, knowsWhatCameAfter: held.database !== undefined, revokedAgain }
  } finally {
    held.release()
  }
}

/** Two restores may happen in the same second. */
function freeName(name: string): string {
  for (let count = 1; ; count++) {
    const found = count === 1 ? name : `${name}-${count}`
    if (lstatSync(found, { throwIfNoEntry: false }) === undefined) return found
  }
}

const timestamp = (): string => new Date().toISOString().replaceAll(/\.\d+|[-:]/g, '')

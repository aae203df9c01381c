import { fstatSync } from 'node:fs'
import type { Environment } from '../../../contract/servers.ts'
import { asOwnerOf } from '../../../files/act-as-owner.ts'
import type { FileDraft } from '../../../files/draft.ts'
import { OperatorError } from '../../../operator-error.ts'
import type { CopySummary } from '../../backup.ts'
import { singleValue } from '../file/database.ts'
import { assertOurFile, inspect, isBlank } from '../file/inspect.ts'
import { contentsOf, reading } from './contents.ts'

/** Copies one consistent state of a database that may be in use, then reads the copy back and checks it. */
export function verifiedCopy(from: string, draft: FileDraft, environment: Environment): CopySummary {
  const before = reading(from, database => {
    // A full disk may have left an empty backup.
    if (isBlank(database)) throw new OperatorError(`${from} is empty: there is no database in it.`)
    assertOurFile(database, from, environment)
    const contents = contentsOf(database)
    // All its files are open by now, so the copy can be written as a user who could not read them.
    asOwnerOf(draft.path, () => database.run('VACUUM INTO ?', [draft.path]))
    return contents
  })
  const copied = verify(draft, environment)
  // Animals are only added, so a copy begun later cannot have fewer.
  if (copied.animals < before.animals)
    throw new OperatorError(
      `The copy has ${copied.animals} animals, fewer than the ${before.animals} there were.`,
    )
  return copied
}

function verify({ path, descriptor }: FileDraft, environment: Environment): CopySummary {
  if (fstatSync(descriptor).size === 0) throw new OperatorError('The copy is empty.')
  inspect(path, environment)
  return reading(path, database => {
    const verdict = singleValue(database, 'PRAGMA integrity_check(1)')
    if (verdict !== 'ok') throw new OperatorError(`The copy is damaged: ${verdict}.`)
    return contentsOf(database)
  })
}

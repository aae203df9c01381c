import { FFIType, ptr } from 'bun:ffi'
import { cLibrary } from '../c-library.ts'
import { codeOf, messageOf, OperatorError } from '../operator-error.ts'
import { followPath } from './follow-path.ts'
import { groupsOf } from './groups-of.ts'

const SETGROUPS: Readonly<Record<string, number>> = { x64: 116, arm64: 159 }
/** No user: asking for it changes nothing and returns the current one. */
const WHO_IS_IT = 0xffffffff
const ROOT = 0

/** As whom this thread acts on files; each thread has its own. */
let acting = ROOT
let calls: ReturnType<typeof loadCalls>

/**
 * Runs work on the files of a folder as the owner of that folder where this process is root, and as it is otherwise. A link
 * that the owner planted, whenever it appears, then leads root to nothing that the owner could not reach alone, and what is
 * made belongs to the owner. Descriptors alone would not do: SQLite opens its files by their paths.
 *
 * Only this thread changes, for as long as the work runs: the work must be synchronous and start no thread.
 */
export function asOwnerOf<T>(path: string, work: () => T): T {
  if (process.geteuid?.() !== ROOT) return work()
  const before = acting
  become(ROOT)
  try {
    const { owner } = followPath(path)
    if (!become(owner))
      throw new OperatorError(
        `Root cannot act as user ${owner}, who controls ${path}. Run the command as that user.`,
      )
    return work()
  } catch (error) {
    throw acting !== ROOT && isForbidden(error) ? forbidden(path, error) : error
  } finally {
    become(before)
  }
}

const isForbidden = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'SQLITE_CANTOPEN'].includes(codeOf(error))

const forbidden = (path: string, cause: unknown): OperatorError =>
  new OperatorError(
    `User ${acting}, who controls ${path}, may not do this, and root acts as that user there: ${messageOf(cause)}.`,
    { cause },
  )

/** False where this process may not, or the system has no such call. */
function become(uid: number): boolean {
  if (uid === acting) return true
  calls ??= loadCalls()
  if (calls === undefined) return false
  // Only as root may groups be changed.
  calls.setfsuid(ROOT)
  const { primary, others } =
    uid === ROOT
      ? { primary: process.getegid?.() ?? ROOT, others: process.getgroups?.() ?? [] }
      : groupsOf(uid)
  const isInGroups = calls.setgroups(others)
  calls.setfsgid(primary)
  calls.setfsuid(uid)
  acting = calls.setfsuid(WHO_IS_IT)
  return acting === uid && isInGroups
}

/** The identity that counts for files. The C library's `setgroups` would change all threads, so the system is called itself. */
function loadCalls() {
  const setgroups = SETGROUPS[process.arch]
  if (process.platform !== 'linux' || setgroups === undefined) return undefined
  const { i64, i32, u32 } = FFIType
  const functions = cLibrary({
    setfsuid: { args: [u32], returns: i32 },
    setfsgid: { args: [u32], returns: i32 },
    syscall: { args: [i64, i64, FFIType.ptr], returns: i64 },
  })
  if (functions === undefined) return undefined
  return {
    setfsuid: (uid: number): number => functions.setfsuid(uid),
    setfsgid: (gid: number): number => functions.setfsgid(gid),
    setgroups: (gids: readonly number[]): boolean => {
      const list = new Uint32Array([...gids, 0])
      return Number(functions.syscall(setgroups, gids.length, ptr(list))) === 0
    },
  }
}

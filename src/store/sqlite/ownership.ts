import { chownSync, closeSync, openSync, statSync } from 'node:fs'

/** What the database holds, hashes of keys and the secret of cursors, is nobody else's to read. */
const OWNER_ONLY = 0o600

/** SQLite gives the log and the index of a database the rights that its file has. */
export function createPrivateFile(path: string, folder: string): void {
  try {
    closeSync(openSync(path, 'wx', OWNER_ONLY))
  } catch {
    // It is there, or it cannot be: whoever opens it next says why.
    return
  }
  handOver(path, folder)
}

/** What root makes in the place of a service that is not root must be that service's, or it could not open it. */
export function handOver(made: string, like: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(like)
  try {
    chownSync(made, uid, gid)
  } catch (error) {
    // A root that may not give files away, in a container for instance, runs the service itself.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error
  }
}

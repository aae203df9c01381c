import { lstatSync, readlinkSync } from 'node:fs'
import { isAbsolute, join, parse, resolve, sep } from 'node:path'
import { explained, OperatorError } from '../operator-error.ts'

const ROOT = 0
const MOST_LINKS = 40
const SEARCH_BY_OTHERS = 0o011

interface FollowedPath {
  /** Without a link; what does not exist yet keeps its name. */
  readonly path: string
  /** Who decides what is found there: the owner of the last link on the way that is not root's, else of the folder. */
  readonly owner: number
}

/** Follows a path to the file or folder that it names, and finds who controls the way there. */
export const followPath = (path: string): FollowedPath =>
  explained(
    reason => `${path} cannot be reached: ${reason}.`,
    () => follow(path),
  )

function follow(path: string): FollowedPath {
  const absolute = resolve(path)
  const { root } = parse(absolute)
  const names = namesIn(absolute.slice(root.length))
  let here = root
  let folder = ROOT
  let link: number | undefined
  let links = 0
  for (let name = names.shift(); name !== undefined; name = names.shift()) {
    const next = join(here, name)
    const found = lstatSync(next, { throwIfNoEntry: false })
    if (found === undefined) {
      here = join(next, ...names)
      break
    }
    if (found.isSymbolicLink()) {
      if (++links > MOST_LINKS) throw new OperatorError(`${path} leads through too many links.`)
      if (found.uid !== ROOT) link = found.uid
      const to = readlinkSync(next)
      if (isAbsolute(to)) here = root
      names.unshift(...namesIn(to))
    } else {
      here = next
      if (found.isDirectory()) folder = found.uid
    }
  }
  return { path: here, owner: link ?? (isOutOfReach(here) ? ROOT : folder) }
}

/** Whether a folder above it belongs to root and is closed to all others, so that no other user gets below it. */
function isOutOfReach(path: string): boolean {
  const { root } = parse(path)
  let here = root
  for (const name of namesIn(path.slice(root.length))) {
    const { uid, mode } = lstatSync(here)
    if (uid !== ROOT) return false
    if ((mode & SEARCH_BY_OTHERS) === 0) return true
    here = join(here, name)
    if (lstatSync(here, { throwIfNoEntry: false }) === undefined) return false
  }
  return false
}

const namesIn = (path: string): string[] => path.split(sep).filter(name => name !== '')

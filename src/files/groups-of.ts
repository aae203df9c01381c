import { readFileSync } from 'node:fs'

interface Groups {
  readonly primary: number
  readonly others: readonly number[]
}

/** Linux's number for "no group that anything belongs to". */
const NO_GROUP = 65534

/** The groups that a user is in by the files of the system; a user who is not in them has none. */
export function groupsOf(uid: number): Groups {
  const [name, , , primary] = linesOf('/etc/passwd').find(fields => fields[2] === String(uid)) ?? []
  if (name === undefined) return { primary: NO_GROUP, others: [] }
  const others = linesOf('/etc/group').filter(([, , , members = '']) => members.split(',').includes(name))
  return { primary: Number(primary), others: others.map(([, , gid]) => Number(gid)) }
}

function linesOf(file: string): string[][] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map(line => line.split(':'))
  } catch {
    // An image without users has no such file.
    return []
  }
}

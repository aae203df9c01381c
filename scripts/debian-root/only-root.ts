import { isRoot } from '../../tests/support/programs/program.ts'
import { say } from '../command.ts'

/** Ends a command that an ordinary user cannot run. */
export function onlyRoot(command: string): void {
  if (isRoot) return
  say(`Only root can make a root file system and enter it: sudo ${command}`)
  process.exit(1)
}

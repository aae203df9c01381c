import { FFIType } from 'bun:ffi'
import { constants } from 'node:os'
import { cLibrary } from '../../c-library.ts'
import { Terminal } from './terminal.ts'

const SIG_IGN = 1

/**
 * Resolves at a SIGHUP that is to end the service: every one, unless it has something to read again; then only that of a
 * closed terminal. `nohup` holds.
 */
export function hangup(reload: (() => void) | undefined): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const isIgnored = ignoresHangups()
  if (isIgnored && reload === undefined) return promise
  const terminal = new Terminal()
  process.on('SIGHUP', signal => {
    if (reload !== undefined && (isIgnored || !terminal.hasJustClosed())) reload()
    else resolve(signal)
  })
  return promise
}

/** A handler of ours would undo what `nohup` did. Only by setting it does the C library tell what was set before. */
function ignoresHangups(): boolean {
  const library = cLibrary({ signal: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.ptr } })
  const before = library?.signal(constants.signals.SIGHUP, SIG_IGN as never)
  return Number(before) === SIG_IGN
}

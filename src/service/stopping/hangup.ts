import { FFIType } from 'bun:ffi'
import { constants } from 'node:os'
import { cLibrary } from '../../c-library.ts'
import { Terminal } from './terminal.ts'

const SIG_IGN = 1

/**
 * Resolves at a SIGHUP that ends the service: any SIGHUP, or, if the service can reload, only that of a closed
 * terminal. Respects `nohup`.
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

/** Our handler would undo `nohup`. The C library returns the previous disposition only when a new one is set. */
function ignoresHangups(): boolean {
  const library = cLibrary({ signal: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.ptr } })
  const before = library?.signal(constants.signals.SIGHUP, SIG_IGN as never)
  return Number(before) === SIG_IGN
}

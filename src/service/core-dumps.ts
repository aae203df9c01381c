import { FFIType } from 'bun:ffi'
import { cLibrary } from '../c-library.ts'

const PR_SET_DUMPABLE = 4

/**
 * A process that knows keys must not leave them in a file when it crashes, nor let its neighbours read its memory. Linux can
 * be told so by the process itself; elsewhere, use `ulimit -c 0`.
 */
export function refuseCoreDumps(): void {
  if (process.platform !== 'linux') return
  const number = FFIType.u64
  cLibrary({
    prctl: { args: [FFIType.i32, number, number, number, number], returns: FFIType.i32 },
  })?.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
}

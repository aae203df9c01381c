import { FFIType } from 'bun:ffi'
import { cLibrary } from '../c-library.ts'

const PR_SET_DUMPABLE = 4

/**
 * A process that knows keys must not write them to a core file when it crashes, nor let other processes read its
 * memory. On Linux the process can prevent both; elsewhere, use `ulimit -c 0`.
 */
export function refuseCoreDumps(): void {
  if (process.platform !== 'linux') return
  const number = FFIType.u64
  cLibrary({
    prctl: { args: [FFIType.i32, number, number, number, number], returns: FFIType.i32 },
  })?.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)
}

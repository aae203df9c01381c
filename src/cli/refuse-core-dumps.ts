import { dlopen, FFIType } from 'bun:ffi'

const PR_SET_DUMPABLE = 4
const LIBRARIES = ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

/**
 * A process that knows keys must not leave them in a file when it crashes, nor let its neighbours read its memory. Linux can
 * be told so by the process itself; elsewhere it is `ulimit -c 0` that does it.
 */
export function refuseCoreDumps(): void {
  if (process.platform !== 'linux') return
  for (const library of LIBRARIES)
    try {
      const { symbols } = dlopen(library, {
        prctl: {
          args: [FFIType.i32, FFIType.u64, FFIType.u64, FFIType.u64, FFIType.u64],
          returns: FFIType.i32,
        },
      })
      if (symbols.prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) === 0) return
    } catch {
      // Another C library, then.
    }
}

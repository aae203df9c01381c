import { dlopen, type FFIFunction } from 'bun:ffi'

const LIBRARIES =
  process.platform === 'darwin'
    ? ['libSystem.B.dylib']
    : ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

/** Functions of the C library for what the runtime has no word for; undefined where there is no such library. */
export function cLibrary<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  for (const library of LIBRARIES)
    try {
      return dlopen(library, functions).symbols
    } catch {
      // Another C library, then.
    }
  return undefined
}

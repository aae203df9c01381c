import { dlopen, type FFIFunction } from 'bun:ffi'

const LIBRARIES =
  process.platform === 'darwin'
    ? ['libSystem.B.dylib']
    : ['libc.so.6', `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`]

/** Functions of the C library that the runtime does not offer; undefined if the library is not found. */
export function cLibrary<Functions extends Record<string, FFIFunction>>(functions: Functions) {
  for (const library of LIBRARIES)
    try {
      return dlopen(library, functions).symbols
    } catch {
      // Not glibc.
    }
  return undefined
}

import { FFIType } from 'bun:ffi'
import { closeSync, constants, fstatSync, lstatSync, openSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { cLibrary } from '../c-library.ts'
import { OperatorError } from '../operator-error.ts'
import { asOwnerOf } from './act-as-owner.ts'

const { O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDWR } = constants
const EXCLUSIVE_AT_ONCE = 2 | 4
const LOOK_AGAIN_MS = 10

let flock: ((descriptor: number) => boolean) | undefined

/**
 * A lock on a path, beside it, that ends with the process that holds it: the system gives it up, so none is left behind by a
 * crash. Undefined where another process, or another part of this one, still holds it when the time is up.
 */
export const lockPath = (path: string, waitMs = 0): Disposable | undefined =>
  asOwnerOf(dirname(path), () => lock(`${path}-lock`, waitMs))

function lock(name: string, waitMs: number): Disposable | undefined {
  flock ??= loadFlock()
  const end = performance.now() + waitMs
  for (;;) {
    const descriptor = openLock(name)
    const isHeld = flock(descriptor)
    if (isHeld && isStillCalled(name, descriptor))
      return { [Symbol.dispose]: () => release(name, descriptor) }
    closeSync(descriptor)
    if (isHeld) continue
    if (performance.now() >= end) return undefined
    Bun.sleepSync(LOOK_AGAIN_MS)
  }
}

function openLock(name: string): number {
  // Neither a link nor a pipe that someone put there is followed or waited for.
  const descriptor = openSync(name, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600)
  if (fstatSync(descriptor).isFile()) return descriptor
  closeSync(descriptor)
  throw new OperatorError(`${name} is not a file. Remove it: its name is that of a lock.`)
}

/** The one before may have removed it between our opening and our locking. */
function isStillCalled(name: string, descriptor: number): boolean {
  const found = lstatSync(name, { throwIfNoEntry: false })
  const held = fstatSync(descriptor)
  return found?.ino === held.ino && found.dev === held.dev
}

function release(name: string, descriptor: number): void {
  asOwnerOf(dirname(name), () => rmSync(name, { force: true }))
  closeSync(descriptor)
}

function loadFlock(): (descriptor: number) => boolean {
  const functions = cLibrary({ flock: { args: [FFIType.i32, FFIType.i32], returns: FFIType.i32 } })
  if (functions === undefined) throw new Error('There is no C library with flock')
  return descriptor => functions.flock(descriptor, EXCLUSIVE_AT_ONCE) === 0
}

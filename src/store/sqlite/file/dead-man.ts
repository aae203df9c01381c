import { FFIType, ptr } from 'bun:ffi'
import { constants } from 'node:os'
import { cLibrary } from '../../../c-library.ts'

const CLOCK_MONOTONIC = 1
/** Where another thread says every second that the process still runs. */
const WATCHED_S = 10
/** Where no one does: as long as a slow disk may take. */
const UNWATCHED_S = 60

/**
 * Ends this process unless it says in time that it still runs. While one connection reads, SQLite cannot empty its log, and what
 * is written makes it grow. A process that was stopped (Ctrl-Z, SIGSTOP) cannot let go, and only its end takes its locks away. So the
 * system is asked for that beforehand: its timer needs no one to be awake. Linux only; elsewhere nothing happens.
 */
export class DeadMan {
  readonly #set: ((seconds: number) => void) | undefined = newTimer()

  /** From now on. Call it again before the time is up. */
  arm(): void {
    this.#set?.(WATCHED_S)
  }

  disarm(): void {
    this.#set?.(0)
  }

  during<T>(work: () => T): T {
    this.#set?.(UNWATCHED_S)
    try {
      return work()
    } finally {
      this.disarm()
    }
  }
}

/** The system's own timer, with SIGKILL: it is the one signal that reaches a stopped process. Undefined where there is none. */
function newTimer(): ((seconds: number) => void) | undefined {
  if (process.platform !== 'linux') return undefined
  const { i32, i64, ptr: pointer } = FFIType
  const library = cLibrary({
    timer_create: { args: [i32, pointer, pointer], returns: i32 },
    timer_settime: { args: [i64, i32, pointer, pointer], returns: i32 },
  })
  // struct sigevent: a value of 8 bytes, the signal, and 0 for "send it".
  const event = new Int32Array(16)
  event[2] = constants.signals.SIGKILL
  const id = new BigInt64Array(1)
  if (library === undefined || library.timer_create(CLOCK_MONOTONIC, ptr(event), ptr(id)) !== 0)
    return undefined
  return seconds => {
    // struct itimerspec: the interval, then the time, each as seconds and nanoseconds.
    const time = new BigInt64Array([0n, 0n, BigInt(seconds), 0n])
    library.timer_settime(id[0] as bigint, 0, ptr(time), null)
  }
}

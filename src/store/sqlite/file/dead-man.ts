import { FFIType, ptr } from 'bun:ffi'
import { constants } from 'node:os'
import { cLibrary } from '../../../c-library.ts'

const CLOCK_MONOTONIC = 1
/** When another thread confirms every second that the process still runs. */
const WATCHED_S = 10
/** When none does: as long as a slow disk may take. */
const UNWATCHED_S = 60

/**
 * Kills this process unless it confirms in time that it still runs. While a connection reads, SQLite cannot empty its
 * log, and writes make it grow. A stopped process (Ctrl-Z, SIGSTOP) cannot release its locks; only its end does. A
 * kernel timer set beforehand works even then. Linux only; has no effect elsewhere.
 */
export class DeadMan {
  readonly #set: ((seconds: number) => void) | undefined = newTimer()

  /** Starts the timer. Call it again before the time is up. */
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

/** A kernel timer that sends SIGKILL, which also ends a stopped process. Undefined if there is none. */
function newTimer(): ((seconds: number) => void) | undefined {
  if (process.platform !== 'linux') return undefined
  const { i32, i64, ptr: pointer } = FFIType
  const library = cLibrary({
    timer_create: { args: [i32, pointer, pointer], returns: i32 },
    timer_settime: { args: [i64, i32, pointer, pointer], returns: i32 },
  })
  // struct sigevent: an 8-byte value, the signal, and 0 for SIGEV_SIGNAL.
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

/** How long the parts of a stop may take: less than 10 seconds in all. Each gives up before those above, which wait for it. */

/** From the signal until the process ends itself, which also takes the FLUSH_MS of the log. */
export const STOP_MS = 8500
/** From the signal until the main thread ends its listeners, whether or not they have drained. */
export const DRAIN_MS = 8000
/** From the signal until a listener stops waiting for requests. It then sends its last spans and closes its store. */
export const REQUESTS_MS = 7500
/** For one write to SQLite, which lets a caller wait for less than 5 seconds. The last new request still has this long. */
export const WRITE_MS = 4000
/** From the signal until clients that still send requests are no longer waited for. */
export const NEW_REQUESTS_MS = 3000
/** For the last lines of the log, and for the last spans. */
export const FLUSH_MS = 1000

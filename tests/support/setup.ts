import { setDefaultTimeout } from 'bun:test'

/** Most tests start a process or two, which takes a while on a busy machine. */
setDefaultTimeout(30_000)

import { animals } from './animals.ts'
import { deadlines } from './deadlines.ts'
import { failures } from './failures.ts'
import { options } from './options.ts'

/** What the client guarantees on every runtime. */
export const SCENARIOS = { ...animals, ...failures, ...options }
export const ALL_SCENARIOS = { ...SCENARIOS, ...deadlines }

import { animals } from './animals.ts'
import { deadlines } from './deadlines.ts'
import { failures } from './failures.ts'
import { hooks } from './hooks.ts'
import { options } from './options.ts'
import { reads } from './reads.ts'
import { requests } from './requests.ts'

/** What the client guarantees on every runtime. */
export const SCENARIOS = { ...animals, ...failures, ...hooks, ...options, ...reads, ...requests }
export const ALL_SCENARIOS = { ...SCENARIOS, ...deadlines }

import { belief } from './belief.ts'
import { conveniences } from './conveniences.ts'
import { deadlines } from './deadlines.ts'
import { errors } from './errors.ts'
import { exactness } from './exactness.ts'
import { paging } from './paging.ts'
import { safety } from './safety.ts'
import { settings } from './settings.ts'
import type { Scenario } from './world.ts'

/** What the client guarantees on every runtime. */
export const SCENARIOS: Readonly<Record<string, Scenario>> = {
  ...exactness,
  ...paging,
  ...safety,
  ...belief,
  ...errors,
  ...settings,
  ...conveniences,
}

export const ALL_SCENARIOS = { ...SCENARIOS, ...deadlines }

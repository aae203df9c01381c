import type { Program } from '../../tests/support/programs/list.ts'
import type { Stock, Workload } from './workloads.ts'

/** Where and with what a contestant is started; the directory is its own and removed after the round. */
export type Place = { port: number; key: string; directory: string; answersFile: string }

export type Launch = { command: string[]; env: Record<string, string> }

export type Contestant = {
  name: string
  title: string
  kind: 'floor' | 'service' | 'peer'
  launch: (place: Place) => Launch
  /** Answers 200 once the contestant can serve; without one, any answer will do. */
  readyPath?: string
  collection: string
  firstPage: (limit: number, status?: string) => string
  /** Contestants without a store of their own are not seeded and offer this instead. */
  fixedStock?: Stock
  /** Programs of the system without which it does not take part. */
  needs?: readonly Program[]
  /** To be run once, before it is first started. */
  build?: () => Launch & { cwd: string }
  /** What it can do, where that is not all of it. */
  workloads?: readonly Workload[]
}

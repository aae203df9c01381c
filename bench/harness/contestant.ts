import type { Program } from '../../tests/support/programs/list.ts'
import type { Stock, Workload } from './workloads.ts'

/** Where and with what a contestant starts. The directory belongs to it and is removed after the round. */
export type Place = { port: number; key: string; directory: string; answersFile: string }

export type Launch = { command: string[]; env: Record<string, string> }

export type Contestant = {
  name: string
  title: string
  kind: 'floor' | 'service' | 'peer'
  launch: (place: Place) => Launch
  /** Answers 200 once the contestant can serve. If absent, any answer will do. */
  readyPath?: string
  collection: string
  firstPage: (limit: number, status?: string) => string
  /** For a contestant without a store, which is not seeded and offers this instead. */
  fixedStock?: Stock
  /** Programs that must be installed for the contestant to take part. */
  needs?: readonly Program[]
  /** Runs once, before the first start. */
  build?: () => Launch & { cwd: string }
  /** The workloads it supports; absent means all of them. */
  workloads?: readonly Workload[]
}

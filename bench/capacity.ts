/**
 * Computes how many animals a second can be added, for machines that we do not have.
 *
 * Callers wait for their response before they send the next create. While one batch is committed, everybody else gathers in the
 * next one, so two batches of each queue alternate, each with half of its callers. SQLite has one queue for all threads (the
 * writer's). On PostgreSQL each thread of each instance has one, and a lock lets one of them commit at a time.
 */
export interface Setting {
  readonly engine: 'sqlite' | 'postgres'
  /** One flush to the disk, and to a synchronous standby if there is one. */
  readonly flushMs: number
  readonly callers: number
  readonly instances: number
  readonly threads: number
  /** Of each machine that runs an instance. */
  readonly cores: number
  /** Animals in one batch; the service's own limit by default. */
  readonly batchLimit?: number
}

/** A time for each batch and a time for each of its animals. */
interface Cost {
  readonly batchMs: number
  readonly animalMs: number
}

/** What a create costs on one kind of processor. */
export interface Costs {
  /** In the commit, besides the flush: nothing else commits meanwhile. */
  readonly commit: Cost
  /** Between two commits of one queue. Commits of other queues overlap it. */
  readonly turn: Cost
  /** Of a listener thread, for one create. */
  readonly requestMs: number
  /** Of all threads of the service, for one create. */
  readonly processorMs: number
}

/** As in src/store/group-commit.ts. */
const BATCH_LIMIT = 512
/** Batches that each of several threads may have in flight to SQLite's writer, which commits them together. */
const IN_FLIGHT = 4

export function createsPerSecond(setting: Setting, costs: Costs): number {
  const { engine, flushMs, callers, instances, threads, cores, batchLimit = BATCH_LIMIT } = setting
  const listeners = instances * threads
  const queues = engine === 'sqlite' ? 1 : listeners
  const together = engine === 'sqlite' && threads > 1 ? IN_FLIGHT * threads : 1
  const batch = Math.min(batchLimit * together, Math.max(1, callers / queues / 2))
  const commitMs = flushMs + timeOf(costs.commit, batch)
  const cycleMs = Math.max(queues * commitMs, commitMs + timeOf(costs.turn, batch))
  const byCommits = (queues * batch) / cycleMs
  const byListeners = listeners / costs.requestMs
  const byProcessors = (instances * cores) / costs.processorMs
  return 1000 * Math.min(byCommits, byListeners, byProcessors)
}

const timeOf = ({ batchMs, animalMs }: Cost, batch: number): number => batchMs + animalMs * batch

/** A measured setting. */
export interface Point extends Setting {
  readonly perSecond: number
  /** Cores that the service used. */
  readonly serverCores: number
  /** Costs are taken from it, so it does not serve to check the model. */
  readonly isCalibration: boolean
}

/**
 * The costs of an engine. Two runs with a slow flush, few callers and many, give the time that a commit takes besides the flush; a run
 * with a fast flush gives that of a listener. On PostgreSQL the same two runs with two instances give the part that nothing overlaps.
 */
export function costsFrom(engine: Setting['engine'], points: readonly Point[]): Costs {
  const own = points.filter(point => point.engine === engine && point.isCalibration)
  const [fast, ...slow] = own.toSorted((a, b) => a.flushMs - b.flushMs)
  const alone = costOf(slow.filter(({ instances }) => instances === 1))
  const commit = engine === 'sqlite' ? alone : costOf(slow.filter(({ instances }) => instances > 1))
  if (fast === undefined) throw new Error(`No run of ${engine} has a fast flush.`)
  return {
    commit,
    turn: { batchMs: alone.batchMs - commit.batchMs, animalMs: alone.animalMs - commit.animalMs },
    requestMs: 1000 / fast.perSecond,
    processorMs: (1000 * fast.serverCores) / fast.perSecond,
  }
}

/** From two runs with batches of different size. */
function costOf(points: readonly Point[]): Cost {
  const [few, many] = points
    .map(({ callers, instances, perSecond, flushMs }) => {
      const batch = callers / instances / 2
      return { batch, restMs: (1000 * batch) / perSecond - flushMs }
    })
    .toSorted((a, b) => a.batch - b.batch)
  if (few === undefined || many === undefined) throw new Error('Two calibration runs are needed.')
  const animalMs = (many.restMs - few.restMs) / (many.batch - few.batch)
  return { batchMs: few.restMs - animalMs * few.batch, animalMs }
}

/** What the model says of every run that it was not calibrated with, beside the measurement. */
export const checked = (points: readonly Point[]) =>
  points
    .filter(({ isCalibration }) => !isCalibration)
    .map(point => {
      const model = createsPerSecond(point, costsFrom(point.engine, points))
      return { point, model, error: model / point.perSecond - 1 }
    })

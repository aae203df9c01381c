import { type Captured, expectSameAnswers } from './capture.ts'
import type { Contestant } from './contestant.ts'
import { machineSeconds, processSeconds, residentBytes } from './procfs.ts'
import { seed } from './seed.ts'
import { start } from './start.ts'
import { planRequests, type Workload } from './workloads.ts'
import { type Load, runWrk, writePlan } from './wrk.ts'

/** The raw figures of one fresh process under one workload. */
export type Round = Omit<Load, 'clientCpuSeconds'> & {
  round: number
  workload: Workload
  contestant: string
  residentBytes: number
  /** The number of cores used by the contestant, by wrk, and by everything else on the machine. */
  serverCores: number
  clientCores: number
  otherCores: number
}

export type Course = {
  directory: string
  key: string
  captured: Captured
  seconds: number
  warmUpSeconds: number
}

export async function runRound(
  round: number,
  workload: Workload,
  contestant: Contestant,
  { directory, key, captured, seconds, warmUpSeconds }: Course,
): Promise<Round> {
  const answers = captured.answers[workload]
  const answersFile = `${directory}/${workload}.answers.json`
  await Bun.write(answersFile, JSON.stringify(answers))
  const running = await start(contestant, key, answersFile, directory)
  try {
    const isFloor = contestant.kind === 'floor'
    if (isFloor) await expectSameAnswers(answers, running)
    const stock = isFloor ? captured.stock : await seed(contestant, running)
    const planFile = `${directory}/${workload}.plan`
    await writePlan(planFile, planRequests(workload, stock))
    await runWrk(running.url, planFile, key, warmUpSeconds)

    const serverBefore = processSeconds(running.pid)
    const machineBefore = machineSeconds()
    const { clientCpuSeconds, ...load } = await runWrk(running.url, planFile, key, seconds)
    const serverUsed = processSeconds(running.pid) - serverBefore
    const machineUsed = machineSeconds() - machineBefore
    return {
      round,
      workload,
      contestant: contestant.name,
      ...load,
      residentBytes: residentBytes(running.pid),
      serverCores: serverUsed / load.seconds,
      clientCores: clientCpuSeconds / load.seconds,
      otherCores: Math.max(0, machineUsed - serverUsed - clientCpuSeconds) / load.seconds,
    }
  } finally {
    await running.stop()
  }
}

import { join } from 'node:path'
import { program } from '../../tests/support/programs/program.ts'
import type { PlannedRequest } from './workloads.ts'

export type Load = {
  requests: number
  seconds: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  failures: number
  clientCpuSeconds: number
}

export const CONNECTIONS = 64
const SCRIPT = join(import.meta.dir, '..', 'wrk', 'replay.lua')

export async function writePlan(file: string, plan: PlannedRequest[]): Promise<void> {
  await Bun.write(file, plan.map(({ method, path, body }) => `${method}\t${path}\t${body ?? ''}\n`).join(''))
}

export async function runWrk(url: string, planFile: string, key: string, seconds: number): Promise<Load> {
  const wrk = Bun.spawn(
    [
      program('wrk'),
      '-t1',
      `-c${CONNECTIONS}`,
      `-d${seconds}s`,
      '--timeout',
      '10s',
      '-s',
      SCRIPT,
      url,
      '--',
      planFile,
      key,
    ],
    { stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' },
  )
  const [output, complaint] = await Promise.all([wrk.stdout.text(), wrk.stderr.text()])
  await wrk.exited
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk gave no result: ${complaint || output}`)
  const raw = JSON.parse(result) as Record<'requests' | 'microseconds' | 'p50' | 'p99' | 'failures', number>
  const elapsed = raw.microseconds / 1e6
  return {
    requests: raw.requests,
    seconds: elapsed,
    perSecond: raw.requests / elapsed,
    p50Ms: raw.p50 / 1e3,
    p99Ms: raw.p99 / 1e3,
    failures: raw.failures,
    clientCpuSeconds: Number(wrk.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  }
}

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '../scripts/command.ts'
import { KEY } from './workloads.ts'

export const CONNECTIONS = 64
const TICKS_PER_SECOND = 100

export async function wrk(url: string, planFile: string, seconds: number) {
  const flags = ['-t1', `-c${CONNECTIONS}`, `-d${seconds}s`, '--timeout', '10s']
  const script = join(ROOT, 'bench/replay.lua')
  const child = Bun.spawn(['wrk', ...flags, '-s', script, url, '--', planFile, KEY], { stderr: 'pipe' })
  const [output, complaint] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const result = /^RESULT (.*)$/m.exec(output)?.[1]
  if (result === undefined) throw new Error(`wrk gave no result: ${complaint || output}`)
  const raw = JSON.parse(result) as Record<'requests' | 'microseconds' | 'p50' | 'p99' | 'failures', number>
  return {
    perSecond: (raw.requests / raw.microseconds) * 1e6,
    p50Ms: raw.p50 / 1e3,
    p99Ms: raw.p99 / 1e3,
    failures: raw.failures,
    seconds: raw.microseconds / 1e6,
    clientSeconds: Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6,
  }
}

export function residentMiB(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** CPU seconds of a process, over all its threads, including those that have ended. */
export function processSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain spaces, so count from the closing one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** CPU seconds that the whole machine has been busy, including time stolen by its host. */
export function machineSeconds(): number {
  const [, ...ticks] = (readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? '').split(/\s+/)
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = ticks.map(Number)
  return (user + nice + system + irq + softirq + steal) / TICKS_PER_SECOND
}

/** Milliseconds of CPU of a process, over all its threads: exact to the nanosecond, but without threads that have ended. */
export function threadsMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const spent = threads.map(each => readFileSync(`/proc/${pid}/task/${each}/schedstat`, 'utf8').split(' ', 1))
  return spent.reduce((sum, [nanoseconds]) => sum + Number(nanoseconds), 0) / 1e6
}

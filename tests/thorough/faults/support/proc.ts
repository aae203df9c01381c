import { readdirSync, readFileSync } from 'node:fs'

/** The unit of CPU time in /proc, in Linux clock ticks. */
const TICKS_A_SECOND = 100

/** Needs root (`needs('root')`): a service that disables core dumps hides its descriptors from its own user too. */
export const openDescriptors = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

export function residentBytes(pid: number): number {
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) * 1024
}

/** CPU seconds that a process has used. */
export function processorSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

/** The share of one core that a process uses during `forMs`. */
export async function coreUse(pid: number, forMs: number): Promise<number> {
  const before = processorSeconds(pid)
  const since = performance.now()
  await Bun.sleep(forMs)
  return (processorSeconds(pid) - before) / ((performance.now() - since) / 1000)
}

/** The innermost first child, which runs our program: a wrapper such as strace may be its parent. */
export function programBelow(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim()
  return children === '' ? pid : programBelow(Number(children.split(' ')[0]))
}

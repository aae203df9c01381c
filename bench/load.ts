import { readdirSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { capture, ROOT } from '../scripts/command.ts'
import { KEY } from './workloads.ts'

export const CONNECTIONS = 64
const TICKS_PER_SECOND = 100

async function wrk(url: string, planFile: string, seconds: number, connections: number) {
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '10s']
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

/** Warms some processes up and loads them at the same time, each with its share of the connections. */
export async function loadAll(
  targets: readonly { readonly url: string; readonly pid: number }[],
  planFile: string,
  { seconds = 1, warmUpSeconds = 2, connections = CONNECTIONS },
) {
  const loads = (duration: number) =>
    Promise.all(targets.map(({ url }) => wrk(url, planFile, duration, connections / targets.length)))
  await loads(warmUpSeconds)
  const used = () => sumOf(targets.map(({ pid }) => processSeconds(pid)))
  const [servers, machine] = [used(), machineSeconds()]
  const found = await loads(seconds)
  const server = used() - servers
  const others = machineSeconds() - machine - server - sumOf(found.map(each => each.clientSeconds))
  const elapsed = Math.max(...found.map(each => each.seconds))
  return {
    perSecond: sumOf(found.map(each => each.perSecond)),
    p50Ms: Math.max(...found.map(each => each.p50Ms)),
    p99Ms: Math.max(...found.map(each => each.p99Ms)),
    failures: sumOf(found.map(each => each.failures)),
    residentMiB: sumOf(targets.map(({ pid }) => residentMiB(pid))),
    serverCores: server / elapsed,
    otherCores: Math.max(0, others) / elapsed,
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

export function residentMiB(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** CPU seconds of a process, over all its threads, including those that have ended. */
function processSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name in parentheses may contain spaces, so count from the closing one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** CPU seconds that the whole machine has been busy, including time stolen by its host. */
function machineSeconds(): number {
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

/** When and on what is measured. */
export async function described() {
  const first = async (...command: string[]) => (await capture(...command)).text.trim()
  const machine = [
    /^Model name: +(.+)$/m.exec(await first('lscpu'))?.[1] ?? process.arch,
    `${cpus().length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Bun ${Bun.version}`,
    `Node ${await first('node', '--version')}`,
    `Linux ${release()}`,
  ]
  return {
    date: new Date().toISOString(),
    revision: await first('git', 'rev-parse', '--short', 'HEAD'),
    machine: machine.join(', '),
  }
}

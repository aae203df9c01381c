import { readdirSync, readFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { capture, ROOT } from '../scripts/command.ts'
import { NODE } from './contestants.ts'
import { KEY } from './workloads.ts'

export const CONNECTIONS = 64
export const LOAD_SECONDS = 1
/** The JIT compiler needs seconds for code of this size. */
const WARM_UP_SECONDS = 2

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
  }
}

/** Warms some processes up and loads them at the same time, each with its share of the connections. */
export async function loadAll(
  targets: readonly { readonly url: string; readonly pid: number }[],
  planFile: string,
  connections = CONNECTIONS,
) {
  const loads = (duration: number) =>
    Promise.all(targets.map(({ url }) => wrk(url, planFile, duration, connections / targets.length)))
  await loads(WARM_UP_SECONDS)
  const used = () => sumOf(targets.map(({ pid }) => cpuSeconds(pid)))
  const before = used()
  const found = await loads(LOAD_SECONDS)
  const spent = used() - before
  const elapsed = Math.max(...found.map(each => each.seconds))
  return {
    perSecond: sumOf(found.map(each => each.perSecond)),
    p50Ms: Math.max(...found.map(each => each.p50Ms)),
    p99Ms: Math.max(...found.map(each => each.p99Ms)),
    failures: sumOf(found.map(each => each.failures)),
    residentMiB: sumOf(targets.map(({ pid }) => residentMiB(pid))),
    serverCores: spent / elapsed,
  }
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function residentMiB(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes) / 1024
}

/** CPU seconds of a process, over all threads that it has now. */
export function cpuSeconds(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`)
  const spent = threads.map(each => readFileSync(`/proc/${pid}/task/${each}/schedstat`, 'utf8').split(' ', 1))
  return sumOf(spent.map(Number)) / 1e9
}

/** When and on what is measured. */
export async function described() {
  const first = async (...command: string[]) => (await capture(...command)).text.trim()
  const machine = [
    /^Model name: +(.+)$/m.exec(await first('lscpu'))?.[1] ?? process.arch,
    `${cpus().length} cores`,
    `${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Bun ${Bun.version}`,
    `Node ${await first(NODE, '--version')}`,
    `Linux ${release()}`,
  ]
  return {
    date: new Date().toISOString(),
    revision: await first('git', 'rev-parse', '--short', 'HEAD'),
    machine: machine.join(', '),
  }
}

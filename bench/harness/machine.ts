import { cpus, release, totalmem } from 'node:os'
import { program } from '../../tests/support/programs/program.ts'

export type Machine = {
  cpu: string
  cores: number
  memoryGiB: number
  kernel: string
  fileSystem: string
  bun: string
  node: string
  wrk: string
  /** Empty if not installed. */
  go?: string
  nginx?: string
}

export function describeMachine(directory: string): Machine {
  return {
    cpu: cpuModel(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: release(),
    fileSystem: say(['findmnt', '-n', '-o', 'FSTYPE', '-T', directory]),
    bun: Bun.version,
    node: say(['node', '--version']).replace('v', ''),
    wrk: /wrk (\S+)/.exec(say([program('wrk'), '-v']))?.[1] ?? 'unknown',
    go: /go(\d\S*)/.exec(say(['go', 'version']))?.[1] ?? '',
    nginx: /nginx\/(\S+)/.exec(say(['nginx', '-v'], 'stderr'))?.[1] ?? '',
  }
}

export function currentRevision(): string {
  return say(['git', 'rev-parse', '--short', 'HEAD'])
}

/** The kernel reports no model name on ARM, but lscpu does. */
function cpuModel(): string {
  const named = cpus()[0]?.model
  if (named && named !== 'unknown') return named
  return /^Model name:\s*(.+)$/m.exec(say(['lscpu']))?.[1] ?? process.arch
}

/** Returns an empty string if the program is not installed. */
function say(command: [string, ...string[]], stream: 'stdout' | 'stderr' = 'stdout'): string {
  if (Bun.which(command[0]) === null) return ''
  return Bun.spawnSync(command, { stdout: 'pipe', stderr: 'pipe' })[stream].toString().trim()
}

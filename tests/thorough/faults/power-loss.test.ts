import { expect } from 'bun:test'
import { join } from 'node:path'
import { freshFolder } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { programBelow } from './support/system.ts'

const ANIMALS = 300
const CALLERS = 16
const FLAGS = '-f -qq -y --seccomp-bpf -s 4200 -e trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg'

const LINE = /^(\d+) +(?:(\w+)\((.*)|<\.\.\. (\w+) resumed>(.*))$/s
const LOG_FILE = /^\d+<[^>]*-wal>/
const CREATED = /^\d+<(?:socket|TCP|TCPv6):[^>]*>, "HTTP\/1\.1 201 /
/** The dot ends the name; otherwise animal-1 would match in animal-10. */
const NAME = /animal-\d+\./g

/**
 * The acknowledged animals of a trace, and those acknowledged before the log that holds them was synced. A send counts when it
 * begins. A sync covers what was written before it began, and counts when it has succeeded.
 */
function acknowledgedTooEarly(trace: string): { acknowledged: string[]; early: string[] } {
  const written: string[] = []
  const durable = new Set<string>()
  const acknowledged: string[] = []
  /** For each thread in a sync of the log, how many of the written names it covers. */
  const syncing = new Map<string, number>()
  const endSync = (thread: string, result: string): void => {
    const covered = syncing.get(thread) ?? 0
    if (/\)\s+= 0/.test(result)) for (const name of written.slice(0, covered)) durable.add(name)
    syncing.delete(thread)
  }
  const early: string[] = []
  for (const line of trace.split('\n')) {
    const [, thread = '', call = '', args = '', resumed = '', rest = ''] = LINE.exec(line) ?? []
    if (call === 'pwrite64' && LOG_FILE.test(args)) written.push(...(args.match(NAME) ?? []))
    if (/^f(?:data)?sync$/.test(call) && LOG_FILE.test(args)) {
      syncing.set(thread, written.length)
      if (!args.endsWith('<unfinished ...>')) endSync(thread, args)
    }
    if (/^f(?:data)?sync$/.test(resumed)) endSync(thread, rest)
    if (CREATED.test(args))
      for (const name of new Set(args.match(NAME))) {
        acknowledged.push(name)
        if (!durable.has(name)) early.push(name)
      }
  }
  return { acknowledged, early }
}

needs('strace').test(
  `every one of ${ANIMALS} acknowledgements is sent after the sync of the log that holds its animal`,
  async () => {
    const folder = await freshFolder()
    const trace = join(folder, 'trace')
    const service = await startProcess({
      databaseUrl: `sqlite:${join(folder, 'animals.db')}`,
      within: [program('strace'), ...FLAGS.split(' '), '-o', trace],
    })
    let next = 0
    const call = async (): Promise<void> => {
      while (next < ANIMALS)
        expect(await service.post(`{"name":"animal-${next++}.","categoryId":1}`)).toHaveStatus(201)
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    process.kill(programBelow(service.process.pid), 'SIGTERM')
    expect(await service.exited()).toBe(0)
    const { acknowledged, early } = acknowledgedTooEarly(await Bun.file(trace).text())
    expect(new Set(acknowledged).size).toBe(ANIMALS)
    expect(early).toEqual([])
  },
)

import { expect } from 'bun:test'
import { join } from 'node:path'
import { atOnce, freshFolder } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { startProcess } from '../../support/service.ts'
import { programBelow } from './support/system.ts'

const ANIMALS = 300
const CALLERS = 16
const FLAGS = '-f -qq -y --seccomp-bpf -s 4200 -e trace=fsync,fdatasync,pwrite64,write,writev,sendto,sendmsg'

/** A name with the dot that ends it; otherwise animal-1 would match in animal-10. */
const NAME = /animal-\d+\./g
const WRITTEN = /^\d+ +pwrite64\(\d+<[^>]*-wal>/
/** A sync that another call interrupted does not say which file it is of. */
const SYNCED = /^\d+ +(?:f(?:data)?sync\(\d+<[^>]*-wal>|<\.\.\. f(?:data)?sync resumed>)\)\s+= 0/
const CREATED = /^\d+ +\w+\(\d+<(?:socket|TCP|TCPv6):[^>]*>, "HTTP\/1\.1 201 /

/**
 * The acknowledged animals of a trace, and those acknowledged before the log that holds them was synced. A send counts when it
 * begins, and a sync when it has succeeded; the thread that writes the log is the one that syncs it.
 */
function acknowledgedTooEarly(trace: string): { acknowledged: Set<string>; early: string[] } {
  const written: string[] = []
  const durable = new Set<string>()
  const acknowledged = new Set<string>()
  const early: string[] = []
  for (const line of trace.split('\n')) {
    const names = line.match(NAME) ?? []
    if (WRITTEN.test(line)) written.push(...names)
    if (SYNCED.test(line)) for (const name of written.splice(0)) durable.add(name)
    if (!CREATED.test(line)) continue
    for (const name of names) acknowledged.add(name)
    early.push(...names.filter(name => !durable.has(name)))
  }
  return { acknowledged, early }
}

needs('strace').test('no animal is acknowledged before the sync of the log that holds it', async () => {
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
  await atOnce(CALLERS, call)
  process.kill(programBelow(service.process.pid), 'SIGTERM')
  expect(await service.exited()).toBe(0)
  const { acknowledged, early } = acknowledgedTooEarly(await Bun.file(trace).text())
  expect(acknowledged.size).toBe(ANIMALS)
  expect(early).toEqual([])
})

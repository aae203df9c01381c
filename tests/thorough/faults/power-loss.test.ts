import { expect } from 'bun:test'
import { join, relative } from 'node:path'
import { freshFolder, petstore, type Variables } from '../../support/process.ts'
import { needs, program } from '../../support/programs.ts'
import { API_KEY, startProcess, startService } from '../../support/service.ts'
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

const CHANGE = /\b(mkdir|link|rename|fsync)\w*\((?:.*"(.*)"|\d+<(.*)>)/

/** What a command does to the files below a folder, in order: folders made, names given, and syncs. */
async function changesOf(folder: string, variables: Variables, ...args: string[]): Promise<string[]> {
  const trace = join(await freshFolder(), 'trace')
  const flags = '-f -qq -y -s 500 -e trace=/^(mkdir|link|rename|fsync)'.split(' ')
  const within = [program('strace'), ...flags, '-o', trace]
  expect(await petstore(args, variables, { within })).toMatchObject({ code: 0 })
  return (await Bun.file(trace).text()).split('\n').flatMap(line => {
    const [, change, named, synced = ''] = CHANGE.exec(line) ?? []
    const path = relative(folder, named ?? synced).replace(/-draft-\w+/, '-draft')
    return change === undefined || path.startsWith('..') ? [] : `${change} ${path}`
  })
}

needs('strace').test(
  'a new file is synced before it gets its name and its folder after that; so is the folder of a new folder',
  async () => {
    const folder = await freshFolder()
    const service = await startService()
    const variables = { PETSTORE_API_KEY: API_KEY, PORT: new URL(service.url).port }
    const exported = await changesOf(folder, variables, 'pets', 'export', join(folder, 'a.csv'))
    expect(exported.slice(-3)).toEqual(['fsync a.csv-draft/draft', 'link a.csv', 'fsync '])
    expect(await service.stop()).toBe(0)
    const from = service.options.databaseUrl
    const target = join(folder, 'new', 'deep', 'a.db')
    const copied = await changesOf(folder, {}, 'copy', '--from', from, '--to', `sqlite:${target}`)
    expect(copied.filter(change => !change.includes('-draft')).join('; ')).toBe(
      'mkdir new; fsync ; mkdir new/deep; fsync new; link new/deep/a.db; fsync new/deep',
    )
  },
)

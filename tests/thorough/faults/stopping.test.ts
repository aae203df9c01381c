import { beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { build } from '../../../scripts/build/build.ts'
import { SlowRequest } from '../../support/http/slow-request.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { eventually } from '../../support/service/process.ts'
import { API_KEY } from '../../support/service/service.ts'
import { Shell } from '../../support/terminal/shell.ts'
import { figure, measured } from './support/form.ts'
import { programBelow } from './support/proc.ts'
import { pathOf, storedPets } from './support/stored.ts'

const ROOT = join(import.meta.dir, '../../..')
const TIMES = figure(1, 20)
/** npm is slow to start on a busy machine. */
const START_MS = 60_000
const END_MS = 20_000

/** What people type to serve. npx is ended by the signal, so its exit code says nothing about the service. */
const WAYS: Readonly<Record<string, { readonly command: string; readonly tellsExitCode: boolean }>> = {
  'npm start': { command: 'npm start', tellsExitCode: true },
  npx: { command: 'npx petstore serve', tellsExitCode: false },
  './petstore': { command: './petstore serve', tellsExitCode: true },
  bun: { command: `${process.execPath} src/main.ts serve`, tellsExitCode: true },
  'the executable': { command: '"$EXECUTABLE" serve', tellsExitCode: true },
}

interface Stop {
  readonly isInBackground?: boolean
  readonly hasWindow?: boolean
  readonly send: (shell: Shell) => void | Promise<void>
}

const STOPS: Readonly<Record<string, Stop>> = {
  'Ctrl-C': { send: shell => shell.pressControlC() },
  'kill $!': { isInBackground: true, send: shell => shell.type('kill $!') },
  'SIGTERM to the process group': { isInBackground: true, send: shell => shell.type('kill -- -$!') },
  'a closed window': { hasWindow: false, send: shell => shell.closeWindow() },
}

let executable: string
beforeAll(async () => {
  executable = join(await freshFolder(), 'petstore')
  await build(executable)
})

const isGone = (pid: number): boolean => !existsSync(`/proc/${pid}`)

/** Not ready, or no longer listening. */
const isLeaving = async (url: string): Promise<true | undefined> => {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined)
  return answer?.status === 200 ? undefined : true
}

/** One round: the service is told to stop when a request is half sent. */
async function stopOnce(way: keyof typeof WAYS, { isInBackground, hasWindow = true, send }: Stop) {
  const { command, tellsExitCode } = WAYS[way] as (typeof WAYS)[string]
  const databaseUrl = `sqlite:${join(await freshFolder(), 'animals.db')}`
  const shell = new Shell(ROOT, {
    PORT: '0',
    PETSTORE_API_KEY: API_KEY,
    DATABASE_URL: databaseUrl,
    EXECUTABLE: executable,
  })
  shell.type(isInBackground ? `${command} &` : command)
  const [, url = ''] = await shell.shows(/listening on (http:\S+),/, START_MS)
  const pid = programBelow(shell.pid)
  const slow = await SlowRequest.begin({ url }, 'half sent')
  await send(shell)
  await eventually('it drains', () => isLeaving(url), END_MS)
  const { status } = await slow.finish()
  await eventually('it is gone', () => isGone(pid) || undefined, END_MS)
  let code = 0
  if (hasWindow) {
    shell.type(isInBackground ? 'wait $!; echo code=$?' : 'echo code=$?')
    code = Number((await shell.shows(/code=(\d+)/))[1])
    expect(shell.text).toMatch(/stopped\r/)
    await shell.closeWindow()
  }
  return {
    status,
    code: tellsExitCode ? code : 0,
    // SQLite removes the log when the last connection closes properly.
    hasLog: existsSync(`${pathOf(databaseUrl)}-wal`),
    stored: (await storedPets(databaseUrl)).map(({ name }) => name),
  }
}

const EXPECTED = { status: 201, code: 0, stored: ['half sent'], hasLog: false }

for (const way of Object.keys(WAYS))
  test(`${way} in a terminal, stopped by ${Object.keys(STOPS).join(', ')}, ${TIMES} times each: a request that is half sent gets its answer, and the service ends in order`, async () => {
    for (let time = 0; time < TIMES; time++) {
      const outcomes = Object.entries(STOPS).map(async ([name, stop]) => [name, await stopOnce(way, stop)])
      expect(Object.fromEntries(await Promise.all(outcomes))).toEqual(
        Object.fromEntries(Object.keys(STOPS).map(name => [name, EXPECTED])),
      )
    }
    const each = Object.keys(STOPS).join(', ')
    measured(`Stopping ${way}`, `${each}: ${TIMES} of ${TIMES} drained each`)
  })

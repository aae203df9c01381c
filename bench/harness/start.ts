import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Contestant } from './contestant.ts'
import { PEERS, ROOT } from './contestants.ts'

export type Running = { pid: number; url: string; headers: Record<string, string>; stop: () => Promise<void> }

const START_LIMIT_MS = 20_000
const POLL_MS = 10

/** Starts a contestant as its own process, in its own directory below `parent`, and waits until it can serve. */
export async function start(
  contestant: Contestant,
  key: string,
  answersFile: string,
  parent: string,
): Promise<Running> {
  const { PATH = '', HOME = '' } = process.env
  const directory = mkdtempSync(join(parent, `${contestant.name}-`))
  const port = freePort()
  const { command, env } = contestant.launch({ port, key, directory, answersFile })
  const output = join(directory, 'output')
  const log = openSync(output, 'w')
  const child = Bun.spawn(command, {
    cwd: contestant.kind === 'peer' ? PEERS : ROOT,
    env: { PATH, HOME, ...env },
    stdin: 'ignore',
    stdout: log,
    stderr: log,
  })
  closeSync(log)

  const url = `http://127.0.0.1:${port}`
  const headers = { authorization: `Bearer ${key}` }
  const stop = async () => {
    child.kill('SIGKILL')
    await child.exited
    rmSync(directory, { recursive: true, force: true })
  }

  const deadline = performance.now() + START_LIMIT_MS
  while (!(await isReady(contestant, url, headers))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      const said = readFileSync(output, 'utf8').slice(-2000)
      await stop()
      throw new Error(`${contestant.name} did not start:\n${said}`)
    }
    await Bun.sleep(POLL_MS)
  }
  return { pid: child.pid, url, headers, stop }
}

async function isReady(
  { readyPath }: Contestant,
  url: string,
  headers: Record<string, string>,
): Promise<boolean> {
  try {
    const response = await fetch(url + (readyPath ?? '/'), { headers })
    await response.arrayBuffer()
    return response.ok || readyPath === undefined
  } catch {
    return false
  }
}

function freePort(): number {
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  return port
}

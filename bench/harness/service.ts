import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './contestants.ts'

export type Service = { pid: number; url: string; readyMs: number; stop: () => Promise<void> }

const POLL_MS = 2

/** Starts the service on a database that outlives it, under a tracer if one is given. */
export async function startService(
  databaseUrl: string,
  logFile: string,
  key: string,
  tracer: readonly string[] = [],
): Promise<Service> {
  const { PATH = '', HOME = '' } = process.env
  const probe = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = probe
  probe.stop(true)
  const started = performance.now()
  const child = Bun.spawn([...tracer, process.execPath, join(ROOT, 'src', 'main.ts'), 'serve'], {
    cwd: ROOT,
    env: { PATH, HOME, PORT: String(port), DATABASE_URL: databaseUrl, PETSTORE_API_KEY: key },
    stdin: 'ignore',
    stdout: Bun.file(logFile),
    stderr: 'inherit',
  })
  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (child.exitCode !== null) throw new Error('the service did not start')
    await Bun.sleep(POLL_MS)
  }
  const readyMs = performance.now() - started
  // A tracer does not forward signals.
  const pid = tracer.length === 0 ? child.pid : childOf(child.pid)
  const stop = async () => {
    process.kill(pid, 'SIGTERM')
    await child.exited
  }
  return { pid, url, readyMs, stop }
}

const childOf = (pid: number): number =>
  Number.parseInt(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'), 10)

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false
  }
}

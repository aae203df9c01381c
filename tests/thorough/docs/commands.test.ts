import { describe, expect } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pages, read, type Step, stepsOf } from '../../docs/shell-blocks.ts'
import { freePort } from '../../support/http/free-port.ts'
import { needs } from '../../support/programs/needs.ts'
import { freshFolder } from '../../support/service/folder.ts'
import { commandLine, environmentWith } from '../../support/service/process.ts'

const { test } = needs('curl')

/** Commands in a block that are not run here. */
const NOT_HERE =
  /^(PETSTORE_\w+=\S+ )*(caddy|cd|createdb|install|litestream|npm|pg_\w+|podman|psql|systemctl|systemd-\w+|journalctl|petstore (serve|doctor)|\.\/petstore-new)\b/

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Turns a page into one shell session that ends at the first failing command. */
function session(steps: readonly Step[], port: number, metricsPort: number): string {
  const lines = steps.map(({ kind, script }) => {
    const text = script.replaceAll('8080', String(port)).replaceAll('9464', String(metricsPort))
    if (kind === 'run') return text
    if (kind === 'stop') return 'kill "$SERVICE"; wait "$SERVICE"'
    return `bash -c ${quote(text.trim())} >>service.log 2>&1 & SERVICE=$!
until petstore ready >/dev/null 2>&1; do kill -0 "$SERVICE" || { cat service.log; exit 1; }; sleep 0.1; done`
  })
  return ['set -euo pipefail', ...lines].join('\n')
}

async function runPage(steps: readonly Step[]): Promise<{ code: number; output: string }> {
  const folder = await freshFolder()
  const port = await freePort()
  await mkdir(join(folder, 'bin'))
  const program = `#!/bin/sh\nexec ${commandLine().map(quote).join(' ')} "$@"\n`
  await writeFile(join(folder, 'bin/petstore'), program, { mode: 0o755 })
  const child = Bun.spawn(['bash', '-c', session(steps, port, await freePort())], {
    cwd: folder,
    env: environmentWith({
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      PORT: String(port),
      PETSTORE_BASE_URL: `http://127.0.0.1:${port}/v1`,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })
  // Background processes of the session keep its pipes open, so they are ended with it.
  child.exited.then(() => endGroup(child.pid))
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { code, output: stdout + stderr }
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGTERM')
  } catch {}
}

describe('every command in the documentation works', async () => {
  for (const page of pages()) {
    const steps = stepsOf(await read(page))
    const doable = steps.filter(({ kind }) => kind !== 'not-run')
    if (doable.some(({ kind }) => kind === 'run'))
      test.concurrent(page, async () => {
        const { code, output } = await runPage(doable)
        expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
      })
  }

  test('what is not run here is written as a shell understands it, and needs what cannot be here', async () => {
    for (const page of pages())
      for (const { kind, script } of stepsOf(await read(page)).filter(step => step.kind === 'not-run')) {
        const parsed = Bun.spawnSync(['bash', '-n', '-c', script])
        expect({ page, kind, errors: parsed.stderr.toString() }).toEqual({ page, kind, errors: '' })
        const commands = script.replaceAll('\\\n', ' ').trim().split('\n')
        expect({ page, unknown: commands.filter(line => !NOT_HERE.test(line)) }).toEqual({
          page,
          unknown: [],
        })
      }
  })
})

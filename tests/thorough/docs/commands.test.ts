import { describe, expect } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort, freshFolder } from '../../support/process.ts'
import { needs } from '../../support/programs.ts'

const { test } = needs('curl')

const ROOT = join(import.meta.dir, '../../..')
const PAGES = [...new Bun.Glob('docs/*.md').scanSync(ROOT)].toSorted()

/** One step that the reader of a page takes. HTML comments contain the steps that the page assumes. */
interface Step {
  readonly kind: 'run' | 'background' | 'stop' | 'not-run'
  readonly script: string
}

const FENCE = /^( *)```sh ?([^\n]*)\n([\s\S]*?)^ *```$/
const COMMENT = /^<!-- (run|background|stop)(?:: (.*?))? -->$/
const EITHER = new RegExp(`${FENCE.source}|${COMMENT.source}`, 'gm')

/** The shell blocks of a page: ```sh is run, ```sh background keeps running, ```sh not-run: why is only parsed. */
const stepsOf = (markdown: string): Step[] =>
  [...markdown.matchAll(EITHER)].map(([, indent = '', note = '', code = '', word, hidden = '']) =>
    word === undefined
      ? { kind: kindOf(note), script: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '') }
      : { kind: word as Step['kind'], script: hidden },
  )

function kindOf(note: string): Step['kind'] {
  if (note === '') return 'run'
  if (note === 'background') return 'background'
  if (/^not-run: \S/.test(note)) return 'not-run'
  throw new Error(`A shell block is marked "${note}"; it must be plain, background, or not-run: why.`)
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Turns a page into one shell session that ends at the first failing command. */
function session(steps: readonly Step[], ports: Readonly<Record<string, number>>): string {
  const lines = steps.map(({ kind, script }) => {
    const text = script.replaceAll(/8080|8081|9464/g, port => String(ports[port]))
    if (kind === 'run') return text
    if (kind === 'stop') return 'kill "$SERVICE"; wait "$SERVICE"'
    return `bash -c ${quote(`exec ${text.trim().replace(/^(\w+=\S+ )/, 'env $1')}`)} >>service.log 2>&1 & SERVICE=$!
until petstore ready ${/--port \d+/.exec(text) ?? ''} >/dev/null 2>&1; do kill -0 "$SERVICE" || { cat service.log; exit 1; }; sleep 0.1; done`
  })
  return ['set -euo pipefail', ...lines].join('\n')
}

async function runPage(steps: readonly Step[]): Promise<{ code: number; output: string }> {
  const folder = await freshFolder()
  const ports = { 8080: freePort(), 8081: freePort(), 9464: freePort() }
  await mkdir(join(folder, 'bin'))
  const command = [process.execPath, join(ROOT, 'src/main.ts')].map(quote).join(' ')
  await writeFile(join(folder, 'bin/petstore'), `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o755 })
  const child = Bun.spawn(['bash', '-c', session(steps, ports)], {
    cwd: folder,
    env: {
      HOME: folder,
      TMPDIR: tmpdir(),
      PATH: `${join(folder, 'bin')}:${process.env.PATH}`,
      PORT: String(ports[8080]),
      PETSTORE_BASE_URL: `http://127.0.0.1:${ports[8080]}/v1`,
    },
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
  } catch {
    // All of them have ended.
  }
}

describe('every command in the documentation works', async () => {
  for (const page of PAGES) {
    const steps = stepsOf(await Bun.file(join(ROOT, page)).text())
    const doable = steps.filter(({ kind }) => kind !== 'not-run')
    const rest = steps.filter(({ kind }) => kind === 'not-run')
    if (doable.some(({ kind }) => kind === 'run'))
      test(page, async () => {
        const { code, output } = await runPage(doable)
        expect({ code, output: code === 0 ? '' : output }).toEqual({ code: 0, output: '' })
      }, 60_000)
    if (rest.length > 0)
      test(`what is not run in ${page} is correct shell`, () => {
        for (const { script } of rest)
          expect(Bun.spawnSync(['bash', '-n', '-c', script]).stderr.toString()).toBe('')
      })
  }
})

import { fstatSync, statSync } from 'node:fs'
import { devNull } from 'node:os'
import { isatty } from 'node:tty'
import { exactNumber } from '../contract/json.ts'
import { withCommas } from '../count-text.ts'
import { codeOf, InvalidInput, OperatorError, plainReason } from '../operator-error.ts'
import type { Options } from './options.ts'

/** Output of commands: data goes to standard output; questions, progress and notes go to standard error. */

let standardOutput: Bun.FileSink | undefined

/** Waits for a slow reader. Bun.write would send bytes twice into a full pipe, and truncate a file that is appended to. */
export async function print(content: string | Uint8Array): Promise<void> {
  try {
    standardOutput ??= Bun.stdout.writer()
    await standardOutput.write(content)
    await standardOutput.flush()
  } catch (cause) {
    if (codeOf(cause) === 'EPIPE')
      throw new OutputClosed('Standard output was closed before everything was written.', { cause })
    throw new OperatorError(`Standard output cannot be written: ${plainReason(cause)}.`, { cause })
  }
}

/** For output that exists only once. The runtime opens the null device in place of a standard output that is closed. */
export function refuseNoOutput(): void {
  if (fstatSync(1).rdev === statSync(devNull).rdev)
    throw new InvalidInput('Standard output is closed, or /dev/null. Use a file, a pipe or a terminal.')
}

class OutputClosed extends OperatorError {}

/** For an action that only shows data: it does not fail if its reader, such as `head`, stops early. */
export const showing =
  <Args extends unknown[]>(action: (...args: Args) => Promise<void>) =>
  (...args: Args): Promise<void> =>
    action(...args).catch((error: unknown) => {
      if (!(error instanceof OutputClosed)) throw error
    })

export const note = (text: string): void => void process.stderr.write(`${text}\n`)

/** Prints the facts as one JSON document with --json, otherwise as text. Standard output gets nothing else. */
export const printFacts = ({ json }: Options, facts: object, text: string): Promise<void> =>
  // 64-bit values are exact numbers; unknown values are null.
  print(json === true ? `${JSON.stringify(facts, (_name, value) => exactNumber(value) ?? null, 2)}\n` : text)

/** Padded columns. The second one, a name, is shortened if the table is too wide. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  // A pipe has no width, because its reader may need the full names.
  width = isatty(1) ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map(line => Bun.stringWidth(line[column] ?? ''))))
  const total = widths.reduce((sum, each) => sum + each + 2, -2)
  widths[1] = Math.max(5, (widths[1] ?? 0) - Math.max(0, total - width))
  const pad = (cell: string, column: number): string => {
    const room = widths[column] ?? 0
    // One less, because a wide character may extend past the end.
    const text = Bun.stringWidth(cell) <= room ? cell : Bun.sliceAnsi(cell, 0, room - 1, '…')
    return text + ' '.repeat(room - Bun.stringWidth(text))
  }
  return lines.map(line => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** Asks before a step that cannot be undone, unless --yes is given. */
export async function confirm(warning: string, { yes }: Options): Promise<void> {
  if (yes === true) return
  if (!isatty(0) || !isatty(2))
    throw new InvalidInput(`${warning} There is no terminal to ask for confirmation; add --yes.`)
  process.stderr.write(`${warning} Continue? [y/N] `)
  for await (const line of console) {
    if (/^\s*y(es)?\s*$/i.test(line)) return
    break
  }
  throw new OperatorError('Nothing was changed.')
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Aborts on Ctrl-C, SIGTERM or SIGHUP, so that work stops where it can clean up. A second signal ends the process. */
export function abortSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of SIGNALS) process.once(name, () => stop.abort(new OperatorError(`Stopped by ${name}.`)))
  return stop.signal
}

/** Ignores the first Ctrl-C, SIGTERM or SIGHUP, for work that cannot be interrupted without leaving something behind. */
export function holdSignals(): void {
  for (const name of SIGNALS) process.once(name, () => {})
}

/** Shows a running count on standard error: in place in a terminal, otherwise a line every 10 seconds. */
export function startProgress(label: string): { advance(amount: number): void; end(): void } {
  let done = 0
  const { isTTY } = process.stderr
  const show = (end: string): void => {
    process.stderr.write(`${isTTY ? '\r' : ''}${label} ${withCommas(done)}${end}`)
  }
  const timer = setInterval(() => show(isTTY ? '' : '\n'), isTTY ? 100 : 10_000)
  return {
    advance: amount => {
      done += amount
    },
    end: () => {
      clearInterval(timer)
      // Keeps later output from overwriting it.
      if (isTTY) show('\n')
    },
  }
}

import { isatty } from 'node:tty'
import { exactNumber } from '../contract/json.ts'
import { codeOf, InvalidInput, messageOf, OperatorError } from '../operator-error.ts'
import { withCommas } from '../text.ts'
import type { Options } from './options.ts'

/** What commands print: data to standard output; questions, progress and notes to standard error. */

let standardOutput: Bun.FileSink | undefined

/**
 * Resolves when the text is written, so that a slow reader causes backpressure and the end is not lost. Not Bun.write, which sends
 * bytes twice into a full pipe and truncates a file that is appended to.
 */
export async function print(content: string | Uint8Array): Promise<void> {
  try {
    standardOutput ??= Bun.stdout.writer()
    await standardOutput.write(content)
    await standardOutput.flush()
  } catch (cause) {
    if (codeOf(cause) === 'EPIPE') throw new OutputClosed({ cause })
    throw new OperatorError(`Standard output cannot be written: ${messageOf(cause)}.`, { cause })
  }
}

class OutputClosed extends OperatorError {
  constructor(options: ErrorOptions) {
    super('Standard output was closed before everything was written.', options)
  }
}

/** An action that changes and judges nothing, so a reader that has seen enough, such as `head`, is no failure. */
export const showing =
  <Args extends unknown[]>(action: (...args: Args) => Promise<void>) =>
  (...args: Args): Promise<void> =>
    action(...args).catch((error: unknown) => {
      if (!(error instanceof OutputClosed)) throw error
    })

export const note = (text: string): void => void process.stderr.write(`${text}\n`)

/** Prints the facts as one JSON document with --json, otherwise as text. Standard output gets nothing else. */
export const printFacts = ({ json }: Options, facts: object, text: () => string): Promise<void> =>
  // 64-bit values are exact numbers; unknown values are null.
  print(
    json === true ? `${JSON.stringify(facts, (_name, value) => exactNumber(value) ?? null, 2)}\n` : text(),
  )

/** Untrusted text, such as a name, with control characters escaped. */
export const printable = (text: string): string =>
  text.replaceAll(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    character => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  )

/** Padded columns. The second one, a name, is shortened if the whole does not fit the width. */
export function table(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  // A pipe has none: what reads it may need the whole text.
  width = isatty(1) ? process.stdout.columns || 80 : Number.POSITIVE_INFINITY,
): string {
  const lines = [head, ...rows]
  const widths = head.map((_, column) => Math.max(...lines.map(line => Bun.stringWidth(line[column] ?? ''))))
  const total = widths.reduce((sum, each) => sum + each + 2, -2)
  widths[1] = Math.max(5, (widths[1] ?? 0) - Math.max(0, total - width))
  const pad = (cell: string, column: number): string => {
    const room = widths[column] ?? 0
    // One less, since a wide character may reach beyond the end.
    const text = Bun.stringWidth(cell) <= room ? cell : Bun.sliceAnsi(cell, 0, room - 1, '…')
    return text + ' '.repeat(room - Bun.stringWidth(text))
  }
  return lines.map(line => `${line.map(pad).join('  ').trimEnd()}\n`).join('')
}

/** Before a step that cannot be undone: continues with --yes, or after a yes at the terminal. */
export async function confirm(warning: string, { yes }: Options): Promise<void> {
  if (yes === true) return
  if (!isatty(0) || !isatty(2))
    throw new InvalidInput(`${warning} There is no terminal to ask; --yes confirms it.`)
  process.stderr.write(`${warning} Go on? [y/N] `)
  for await (const line of console) {
    if (/^\s*y(es)?\s*$/i.test(line)) return
    break
  }
  throw new OperatorError('Nothing was changed.')
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Aborts at Ctrl-C, SIGTERM or SIGHUP, so that work stops where it can clean up. A second signal ends the process. */
export function abortSignal(): AbortSignal {
  const stop = new AbortController()
  for (const name of SIGNALS) process.once(name, () => stop.abort(new OperatorError(`Stopped by ${name}.`)))
  return stop.signal
}

/** Ignores the first Ctrl-C, SIGTERM or SIGHUP, for work that cannot be interrupted without leaving something behind. */
export function holdSignals(): void {
  for (const name of SIGNALS) process.once(name, () => {})
}

/** A count on standard error that redraws itself in a terminal. A log has no use for it. */
export function startProgress(label: string): { advance(amount: number): void; end(): void } {
  let done = 0
  const show = (end = ''): void => {
    if (process.stderr.isTTY) process.stderr.write(`\r${label} ${withCommas(done)}${end}`)
  }
  const timer = setInterval(show, 100)
  return {
    advance: amount => {
      done += amount
    },
    end: () => {
      clearInterval(timer)
      // So that later output does not overwrite it.
      show('\n')
    },
  }
}

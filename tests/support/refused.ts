import { expect } from 'bun:test'
import { type Exit, OperatorError } from '../../src/operator-error.ts'
import { copyStore } from '../../src/store/copy.ts'
import { startService } from './service.ts'
import { engineAt } from './store.ts'

export const copyBetween = (from: string, to: string, onRows = (_count: number): void => {}) =>
  copyStore(
    { location: from, engine: engineAt(from) },
    { location: to, engine: engineAt(to) },
    { onRows, signal: new AbortController().signal },
  )

/** A service, commands and checks refuse a database, in the same sentence and with the same exit code. */
export async function expectRefused(
  url: string,
  exit: Exit,
  sentence: RegExp | string,
  others: Record<string, () => Promise<unknown>> = {},
): Promise<void> {
  const engine = engineAt(url)
  const uses = {
    serve: () => startService({ databaseUrl: url }),
    open: () => engine.open({ create: true }),
    diagnose: () => engine.diagnose().then(({ failure }) => Promise.reject(failure)),
    ...others,
  }
  for (const [use, attempt] of Object.entries(uses)) {
    const refusal = await attempt().catch((failure: unknown) => failure)
    expect([use, refusal]).toEqual([use, expect.any(OperatorError)])
    const { exit: code, message } = refusal as OperatorError
    expect([use, code, message]).toEqual([use, exit, expect.stringMatching(sentence)])
    expect(message).toMatch(/^[^\n]*[^.\n]\.?$/)
  }
}

import type { Command } from 'commander'
import { exactNumber } from '../../contract/json.ts'
import { print } from './output.ts'

export const withJson = (command: Command): Command => command.option('--json', 'print JSON, for scripts')

/** Prints the facts as JSON with --json, otherwise as text. Standard output gets nothing else. */
export const printFacts = (
  options: { readonly json?: unknown },
  facts: unknown,
  text: () => string,
): Promise<void> => print(options.json === true ? `${jsonOf(facts)}\n` : text())

/** 64-bit values are exact numbers; unknown values are null. */
export const jsonOf = (facts: unknown): string =>
  JSON.stringify(facts, (_name, value) => exactNumber(value) ?? null, 2)

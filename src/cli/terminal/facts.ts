import type { Command } from 'commander'
import { print } from './output.ts'

declare global {
  interface JSON {
    /** A number as raw JSON. TypeScript does not know it yet. */
    rawJSON(text: string): unknown
  }
}

export const withJson = (command: Command): Command => command.option('--json', 'print JSON, for scripts')

/** Prints the facts as JSON with --json, otherwise as text. Standard output gets nothing else. */
export const printFacts = (
  options: { readonly json?: unknown },
  facts: unknown,
  text: () => string,
): Promise<void> => print(options.json === true ? `${jsonOf(facts)}\n` : text())

/** 64-bit values are exact numbers; unknown values are null. */
export const jsonOf = (facts: unknown): string =>
  JSON.stringify(
    facts,
    (_name, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : (value ?? null)),
    2,
  )

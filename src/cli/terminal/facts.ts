import type { Command } from 'commander'
import { print } from './output.ts'

declare global {
  interface JSON {
    /** A number as it is to be written. TypeScript does not know it yet. */
    rawJSON(text: string): unknown
  }
}

export const withJson = (command: Command): Command => command.option('--json', 'print JSON, for scripts')

/** The facts as JSON with --json, as text otherwise. One or the other is all that standard output gets. */
export const printFacts = (
  options: { readonly json?: unknown },
  facts: unknown,
  text: () => string,
): Promise<void> => print(options.json === true ? `${jsonOf(facts)}\n` : text())

/** 64-bit values are numbers, exact to the last digit; what is not known is null. */
export const jsonOf = (facts: unknown): string =>
  JSON.stringify(
    facts,
    (_name, value) => (typeof value === 'bigint' ? JSON.rawJSON(String(value)) : (value ?? null)),
    2,
  )

import { say } from '../command.ts'

export type Step = (name: string, work: () => Promise<string>) => Promise<void>

/** Steps that continue after a failure, and the number of failures. */
export function steps(): { readonly step: Step; failed(): number } {
  let failures = 0
  return {
    async step(name, work) {
      try {
        say(`✓ ${name}: ${await work()}`)
      } catch (error) {
        failures++
        say(`✗ ${name}: ${error instanceof Error ? error.message : error}`)
      }
    },
    failed: () => failures,
  }
}

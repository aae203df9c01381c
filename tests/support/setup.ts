import { expect, setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'
import type { CompleteResponse } from './http.ts'

declare module 'bun:test' {
  interface Matchers<T> {
    /** Shows the body of a response with another status. */
    toHaveStatus: T extends CompleteResponse ? (status: number) => void : never
  }
}

expect.extend({
  toHaveStatus: (answer, expected) => {
    const { status, text } = answer as CompleteResponse
    const message = () => `Expected status ${expected}, received ${status}: ${text}`
    return { pass: status === expected, message }
  },
})

// The time limit of the tests and hooks of a process's first file; for the others the runtime takes it from --timeout.
setDefaultTimeout(Number(process.env.PETSTORE_TEST_MINUTES ?? 5) * 60_000)

// The same inputs in each run; FC_SEED tries others. A failure shows the inputs that failed.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1), verbose: fc.VerbosityLevel.Verbose })

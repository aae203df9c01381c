import { setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'

// The time limit of the tests and hooks of a process's first file; for the others the runtime takes it from --timeout.
setDefaultTimeout(Number(process.env.PETSTORE_TEST_MINUTES ?? 5) * 60_000)

// The same inputs in each run; FC_SEED tries others. A failure shows the inputs that failed.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1), verbose: fc.VerbosityLevel.Verbose })

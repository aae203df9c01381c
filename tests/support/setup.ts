import { setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'

// The only time limit of tests and hooks. It catches hangs, and is generous because everything is slow on a busy machine.
setDefaultTimeout(5 * 60_000)

// The same inputs in each run; FC_SEED tries others. A failure shows the inputs that failed.
fc.configureGlobal({ seed: Number(process.env.FC_SEED ?? 1), verbose: fc.VerbosityLevel.Verbose })

import { setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'

/** The one time limit of tests and hooks. It is there for what hangs: on a busy machine everything takes its time. */
setDefaultTimeout(process.env.PETSTORE_FAULTS === 'full' ? 60 * 60_000 : 5 * 60_000)

/** Random tests tell their seed when they fail; FC_SEED replays it. */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31)),
  verbose: fc.VerbosityLevel.Verbose,
})

import { setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'

/** Most tests start a process or two, which takes a while on a busy machine. */
setDefaultTimeout(30_000)

/** Random tests tell their seed when they fail; FC_SEED replays it. */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31)),
  verbose: fc.VerbosityLevel.Verbose,
})

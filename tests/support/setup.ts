import { setDefaultTimeout } from 'bun:test'
import fc from 'fast-check'
import { TIME_LIMIT_MS } from './time-limit.ts'

setDefaultTimeout(TIME_LIMIT_MS)

/** Random tests print their seed on failure; FC_SEED replays it. */
fc.configureGlobal({
  seed: Number(process.env.FC_SEED ?? Math.floor(Math.random() * 2 ** 31)),
  verbose: fc.VerbosityLevel.Verbose,
})

import { isRunByNpx } from '../../config/variables.ts'
import { endOfNpx } from './end-of-npx.ts'
import { hangup } from './hangup.ts'
import { stopSignal } from './stop-signal.ts'

/** Resolves with the name of the reason when the service must stop. If it can reload, SIGHUP does that. */
export const reasonToStop = (reload: (() => void) | undefined): Promise<string> =>
  Promise.race([stopSignal(), hangup(reload), ...(isRunByNpx() ? [endOfNpx()] : [])])

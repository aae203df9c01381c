import { endOfNpx } from './end-of-npx.ts'
import { hangup } from './hangup.ts'
import { stopSignal } from './stop-signal.ts'

interface Circumstances {
  /** What SIGHUP does if the service can reload. */
  readonly reload: (() => void) | undefined
  readonly isRunByNpx: boolean
}

/** Resolves with the name of the reason when the service must stop. */
export const reasonToStop = ({ reload, isRunByNpx }: Circumstances): Promise<string> =>
  Promise.race([stopSignal(), hangup(reload), ...(isRunByNpx ? [endOfNpx()] : [])])

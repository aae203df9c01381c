import { endOfNpx } from './end-of-npx.ts'
import { hangup } from './hangup.ts'
import { stopSignal } from './stop-signal.ts'

interface Circumstances {
  /** What SIGHUP does where the service has something to read again. */
  readonly reload: (() => void) | undefined
  readonly isRunByNpx: boolean
}

/** Resolves when the service is to stop, with the name of the reason. */
export const reasonToStop = ({ reload, isRunByNpx }: Circumstances): Promise<string> =>
  Promise.race([stopSignal(), hangup(reload), ...(isRunByNpx ? [endOfNpx()] : [])])

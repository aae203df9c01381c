import { version } from '../package.json' with { type: 'json' }

/** The version of this program. The interface has its own version, in the contract. */
export const RELEASE: string = version

import { Petstore, type PetstoreOptions, type RetryEvent } from '../../../client/src/index.ts'
import { canRedraw } from '../terminal/abilities.ts'
import { printable } from '../terminal/printable.ts'

/** A client that explains the delay at the first retry, and only then. */
export function clientWith(options: PetstoreOptions): Petstore {
  let hasSaid = false
  return new Petstore({
    ...options,
    // The command says itself what a person should know of a deprecation.
    logLevel: 'error',
    onRetry: ({ error }: RetryEvent) => {
      if (hasSaid) return
      hasSaid = true
      // There may be a progress bar on this line.
      const clear = canRedraw(process.stderr) ? '\r\u001b[K' : ''
      process.stderr.write(`${clear}petstore: ${printable(error.message)} Trying again.\n`)
    },
  })
}

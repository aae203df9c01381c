import { Petstore, type PetstoreOptions, type RetryEvent } from '../../../client/src/index.ts'
import { canRedraw } from '../terminal/abilities.ts'
import { printable } from '../terminal/printable.ts'

/** A client that says why it keeps people waiting: at the first repeat, and only then. */
export function clientWith(options: PetstoreOptions): Petstore {
  let hasSaid = false
  return new Petstore({
    ...options,
    onRetry: ({ error }: RetryEvent) => {
      if (hasSaid) return
      hasSaid = true
      // A bar may stand on this line.
      const clear = canRedraw(process.stderr) ? '\r\u001b[K' : ''
      process.stderr.write(`${clear}petstore: ${printable(error.message)} Trying again.\n`)
    },
  })
}

/** Resolves in the next turn of the event loop, after everything that has arrived until then. */
export const nextTurn = (): Promise<void> => new Promise(setImmediate)

/** How a command can end: the same for all commands. */
export const EXIT_CODES = {
  done: { code: 0, meaning: 'done' },
  failed: { code: 1, meaning: 'failed; the same command would fail again' },
  invalid: {
    code: 2,
    meaning: 'invalid command, setting or input, or --yes or --force is missing',
  },
  missing: {
    code: 3,
    meaning: 'what the command names does not exist: an animal, a key, a file, a database',
  },
  unauthorised: { code: 4, meaning: 'the API key is not accepted' },
  unavailable: { code: 5, meaning: 'no response, not ready, or in use; try again later' },
  inPart: { code: 6, meaning: 'imported without the bad lines (--continue)' },
} as const

export type Exit = keyof typeof EXIT_CODES

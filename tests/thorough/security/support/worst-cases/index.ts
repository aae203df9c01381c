import { CLIENTS } from './clients.ts'
import { COMMANDS } from './commands.ts'
import { REQUESTS } from './requests.ts'
import type { WorstCases } from './worst-case.ts'

/** Every regular expression and loop that processes outside input, by name. */
export const WORST_CASES: WorstCases = { ...REQUESTS, ...COMMANDS, ...CLIENTS }

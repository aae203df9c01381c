import { createHmac } from 'node:crypto'
import type { Environment } from '../contract/servers.ts'

const LENGTH = 16

/** Distinguishes a database from others and from its own copies, and reveals nothing else about it. */
export const databaseMark = (environment: Environment, cursorSecret: string, place: string): string =>
  `${environment}-${createHmac('sha256', cursorSecret).update(`place ${place}`).digest('hex').slice(0, LENGTH)}`

export const environmentOfMark = (mark: string): string => mark.replace(/-[^-]*$/, '')

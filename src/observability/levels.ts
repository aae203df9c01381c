import type { Event } from './events.ts'

/** From the least to the most urgent. */
export const LOG_LEVELS = ['debug', 'info', 'warn', 'error'] as const
export type Level = (typeof LOG_LEVELS)[number]

export const LOG_FORMATS = ['auto', 'json', 'readable'] as const
export type LogFormat = (typeof LOG_FORMATS)[number]

/** How urgent each event is. */
export const EVENT_LEVELS: { readonly [kind in Event['kind']]: Level } = {
  request: 'info',
  // For debugging; the metrics count it.
  'batch-stored': 'debug',
  'request-failed': 'error',
  listening: 'info',
  'metrics-listening': 'info',
  'process-ended': 'error',
  reloading: 'info',
  reloaded: 'info',
  'separate-rate-limits': 'warn',
  'spans-dropped': 'warn',
  'log-lines-dropped': 'warn',
  'no-api-key': 'warn',
  'backup-made': 'info',
  'background-task-failed': 'error',
  'out-of-descriptors': 'warn',
  'storage-stalled': 'error',
  'storage-recovered': 'warn',
  'database-refused': 'error',
  'replica-unused': 'warn',
  'certificate-replaced': 'info',
  draining: 'info',
  stopped: 'info',
  'stopped-by-force': 'error',
}

export const isLogged = (level: Level, least: Level): boolean =>
  LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(least)

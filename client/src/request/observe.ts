import type { OperationId } from '../contract.generated.ts'
import type { PetstoreError } from '../errors.ts'

/** One request, about to be sent. The API key is no part of it. */
export interface RequestEvent {
  readonly operation: OperationId
  /** 1 for the first, more for repeats. */
  readonly attempt: number
  readonly method: string
  readonly url: string
  /** All but Authorization. */
  readonly headers: Headers
}

/** One response, of any status. */
export interface ResponseEvent {
  readonly operation: OperationId
  readonly attempt: number
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  readonly durationMs: number
}

/** An attempt failed and will be repeated. */
export interface RetryEvent {
  readonly operation: OperationId
  /** The one that failed. */
  readonly attempt: number
  readonly error: PetstoreError
  readonly waitMs: number
}

/** An operation that was called is deprecated. */
export interface Deprecation {
  readonly operation: OperationId
  readonly since: Date
  /** When the operation will be removed, if that is announced. */
  readonly sunset: Date | undefined
}

/** Hooks only observe. If one throws, this is reported once, and the call continues. */
export interface Hooks {
  /** Told before each attempt. */
  onRequest?: ((event: RequestEvent) => unknown) | undefined
  /** Told after each answer. */
  onResponse?: ((event: ResponseEvent) => unknown) | undefined
  /** Told before each wait for a repeat. */
  onRetry?: ((event: RetryEvent) => unknown) | undefined
  /** Told once for each deprecated operation that is called. */
  onDeprecated?: ((deprecation: Deprecation) => unknown) | undefined
}

/** How much is logged: each level with those before it. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** As much of `console` as the client uses; pino and winston have it too. */
export type Logger = Readonly<
  Record<Exclude<LogLevel, 'off'>, (message: string, details?: unknown) => unknown>
>

export const LEVELS: readonly LogLevel[] = ['off', 'error', 'warn', 'info', 'debug']

interface Events {
  onRequest: RequestEvent
  onResponse: ResponseEvent
  onRetry: RetryEvent
  onDeprecated: Deprecation
}

/** What is logged, and at which level. */
const LEVEL_OF: { readonly [Name in keyof Events]: keyof Logger } = {
  onRequest: 'debug',
  onResponse: 'debug',
  onRetry: 'info',
  onDeprecated: 'warn',
}

/** Tells the logger and the hooks. */
type Notify = <Name extends keyof Events>(name: Name, event: Events[Name]) => void

export function observer(hooks: Hooks, logger: Logger, logLevel: LogLevel): Notify {
  const broken = new Set<string>()

  const isolated = async (name: string, work: () => unknown) => {
    try {
      await work()
    } catch (error) {
      if (broken.has(name)) return
      broken.add(name)
      log('error', `${name} threw`, error)
    }
  }

  const log = (level: keyof Logger, message: string, details: unknown): void => {
    if (LEVELS.indexOf(level) <= LEVELS.indexOf(logLevel))
      isolated('logger', () => logger[level](`petstore: ${message}`, details))
  }

  return (name, event) => {
    log(LEVEL_OF[name], `${event.operation} ${name.slice(2).toLowerCase()}`, event)
    isolated(name, () => (hooks[name] as ((event: unknown) => unknown) | undefined)?.(event))
  }
}

import type { OperationId } from './contract.generated.ts'
import type { PetstoreError } from './errors.ts'

/** The operation that was called; `request` for a request to any path. */
export type RequestedOperation = OperationId | 'request'

/** A request about to be sent. It does not include the API key. */
export interface RequestEvent {
  readonly operation: RequestedOperation
  /** 1 for the first attempt. */
  readonly attempt: number
  readonly method: string
  readonly url: string
  /** All headers except Authorization. */
  readonly headers: Headers
}

/** A response of any status. */
export interface ResponseEvent {
  readonly operation: RequestedOperation
  readonly attempt: number
  readonly status: number
  readonly headers: Headers
  readonly requestId: string | undefined
  readonly durationMs: number
}

/** A failed attempt that will be repeated. */
export interface RetryEvent {
  readonly operation: RequestedOperation
  /** The attempt that failed. */
  readonly attempt: number
  readonly error: PetstoreError
  readonly waitMs: number
}

/** The deprecation of an operation that was called. */
export interface Deprecation {
  readonly operation: RequestedOperation
  readonly since: Date
  /** When the operation will be removed, if announced. */
  readonly sunset: Date | undefined
}

/** Hooks only observe. If one throws, that is logged once and the call continues. */
export interface Hooks {
  /** Called before each attempt. */
  onRequest?: ((event: RequestEvent) => unknown) | undefined
  /** Called after each answer. */
  onResponse?: ((event: ResponseEvent) => unknown) | undefined
  /** Called before each wait for a retry. */
  onRetry?: ((event: RetryEvent) => unknown) | undefined
  /** Called once for each deprecated operation in use. */
  onDeprecated?: ((deprecation: Deprecation) => unknown) | undefined
}

/** The log level. Each level includes those before it. */
export type LogLevel = 'off' | 'error' | 'warn' | 'info' | 'debug'

/** The part of `console` that the client uses; pino and winston have it too. */
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

/** The events that are logged, with their levels. */
const LEVEL_OF: { readonly [Name in keyof Events]: keyof Logger } = {
  onRequest: 'debug',
  onResponse: 'debug',
  onRetry: 'info',
  onDeprecated: 'warn',
}

/** Notifies the logger and the hooks. */
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
    const { sunset } = event as Partial<Deprecation>
    const removal = sunset ? `; it is removed on ${sunset.toISOString().slice(0, 10)}` : ''
    const said = name === 'onDeprecated' ? `is deprecated${removal}` : name.slice(2).toLowerCase()
    log(LEVEL_OF[name], `${event.operation} ${said}`, event)
    isolated(name, () => (hooks[name] as ((event: unknown) => unknown) | undefined)?.(event))
  }
}

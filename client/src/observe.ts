import type { ResponseInfo } from './call.ts'
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
  /** All headers except Authorization. A hook may change them for this attempt, for example to add a trace id. */
  readonly headers: Headers
}

/** A response of any status. */
export interface ResponseEvent extends Pick<ResponseInfo, 'status' | 'headers' | 'requestId'> {
  readonly operation: RequestedOperation
  readonly attempt: number
  readonly durationMs: number
}

/** A failed attempt that will be retried. */
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
  /** When the operation is scheduled for removal, if that is known. */
  readonly sunset: Date | undefined
}

/** If a hook throws, the error goes to the logger and the call continues. */
export interface Hooks {
  /** Called before each attempt, which waits for it. It may change the headers. */
  onRequest?: ((event: RequestEvent) => unknown) | undefined
  /** Called after each response. */
  onResponse?: ((event: ResponseEvent) => unknown) | undefined
  /** Called before each wait for a retry. */
  onRetry?: ((event: RetryEvent) => unknown) | undefined
  /** Called once for each deprecated operation in use. Default: a warning to the logger. */
  onDeprecated?: ((deprecation: Deprecation) => unknown) | undefined
}

type Log = (message: string, details?: unknown) => unknown

/** The part of `console` that the client uses; pino and winston have it too. Without `debug`, its lines go to `warn`. */
export type Logger = Readonly<Record<'warn' | 'error', Log> & Partial<Record<'debug', Log | undefined>>>

/** What a client reports, and where to. */
export interface ObserverOptions extends Hooks {
  /** Where warnings go, and lines of `debug`. Default `console`. */
  logger?: Logger | undefined
  /** Logs each request, response and retry, without headers, bodies and the API key. */
  debug?: boolean | undefined
}

type Events = { readonly [Name in keyof Hooks]-?: Parameters<NonNullable<Hooks[Name]>>[0] }

/** Calls a hook, if there is one. The promise never rejects. */
type Notify = <Name extends keyof Hooks>(name: Name, event: Events[Name]) => Promise<unknown>

/** The lines that `debug` logs. */
const LINES: { readonly [Name in keyof Events]?: (event: Events[Name]) => string } = {
  onRequest: ({ method, url }) => `${method} ${url}`,
  onResponse: ({ status, durationMs, requestId }) =>
    `${status} in ${Math.round(durationMs)} ms, request id ${requestId}`,
  onRetry: ({ error, waitMs }) => `${error.code}, retry in ${Math.round(waitMs)} ms`,
}

export function observer(settings: ObserverOptions, redact: (text: string) => string): Notify {
  const { logger = console, debug } = settings
  const warn = ({ operation, sunset }: Deprecation) => {
    const removal = sunset ? ` and scheduled for removal on ${sunset.toISOString().slice(0, 10)}` : ''
    logger.warn(`petstore: ${operation} is deprecated${removal}`)
  }
  const hooks: Hooks = { onDeprecated: warn, ...settings }
  return (name, event) => {
    const call = async () => {
      const line = debug && LINES[name]?.(event)
      const { operation, attempt } = event as RequestEvent
      if (line)
        logger[logger.debug ? 'debug' : 'warn']?.(
          redact(`petstore: ${operation}, attempt ${attempt}: ${line}`),
        )
      // Called without its object, which contains the API key.
      const hook = hooks[name] as ((event: unknown) => unknown) | undefined
      return hook?.(event)
    }
    return (
      call()
        .catch(error => logger.error(`petstore: ${name} threw`, error))
        // A logger that throws does not fail the call either.
        .catch(() => {})
    )
  }
}

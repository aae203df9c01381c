import { NOT_MODIFIED, type NotModified } from './call.ts'
import type { ErrorDetails } from './errors.ts'
import type { RequestedOperation } from './observe.ts'
import { type ConditionalOptions, must } from './options.ts'

/** Returns undefined for a body of the wrong shape. */
export type Read<Data> = (body: unknown, headers: Headers) => Data | undefined

/** A request, and how its response is read. */
export interface Request<Data> {
  readonly operation: RequestedOperation
  readonly method: string
  /** Relative to the base URL. */
  readonly path: string
  readonly query?: object | undefined
  readonly body?: string | undefined
  readonly headers?: Readonly<Record<string, string | undefined>>
  /** The details of this request that an error carries. */
  readonly details?: ErrorDetails
  /** False if a retry could do the same thing twice. */
  readonly isRepeatable?: boolean
  readonly read: Read<Data>
  /** The data of a valid response without a body. */
  readonly withoutBody?: (status: number) => { readonly data: Data } | undefined
}

/** The request with If-None-Match, if there is a tag. A 304 is then a valid response. */
export const conditional = <Data>(
  request: Request<Data>,
  { ifNoneMatch }: ConditionalOptions,
): Request<Data | NotModified> =>
  ifNoneMatch === undefined
    ? request
    : {
        ...request,
        headers: { 'if-none-match': ifNoneMatch },
        withoutBody: status => (status === 304 ? { data: NOT_MODIFIED } : undefined),
      }

/** A path that stays below the base URL, even if a proxy decodes or normalises it. URL parsers drop some characters. */
export function pathBelow(path: string): string {
  const decoded = path.replace(/\?[^#]*/, '').replace(/%(?:2e|2f|5c)/gi, decodeURIComponent)
  const isBelow = /^(?:\/(?!\/|\.\.?(?:\/|$))[^/\\#\s\p{Cc}]*)+$/u.test(decoded)
  must('path', isBelow, 'start with / and stay below the base URL')
  return path
}

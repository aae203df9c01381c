import { ApiError } from '../contract/errors.ts'

/** A 405 names the methods that would have been served. */
export class MethodNotAllowed extends ApiError {
  readonly allow: string

  constructor(method: string, allowed: readonly string[]) {
    const allow = allowed.join(', ')
    super('method_not_allowed', `${method} is not served at this path. It takes ${allow}.`)
    this.allow = allow
  }
}

/** What serves a method at a path, or a 405. */
export function chooseByMethod<T>(byMethod: Readonly<Record<string, T>>, method: string): T {
  const found = Object.hasOwn(byMethod, method) ? byMethod[method] : undefined
  if (found === undefined) throw new MethodNotAllowed(method, Object.keys(byMethod))
  return found
}

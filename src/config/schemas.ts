import { availableParallelism } from 'node:os'
import { z } from 'zod'
import { parseDuration } from './duration.ts'

/** The values of settings. Each message completes the sentence that begins with the setting's name. */

export const text = z.string()

/** What `parse` returns; text for which it returns undefined is refused. */
export const parsed = <Value>(parse: (text: string) => Value | undefined, rule: string) =>
  z.string().transform((text, context): Value => {
    const value = parse(text)
    if (value !== undefined) return value
    context.addIssue(rule)
    return z.NEVER
  })

export const choice = <const Choices extends readonly string[]>(choices: Choices) =>
  z.enum(choices, `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`)

export const onOff = choice(['on', 'off']).transform(value => value === 'on')

export const host = z.string().regex(/^[\w.:%-]+$/, 'must be a host name or an IP address')

export function count(min: number, max: number) {
  const rule = `must be a number from ${min} to ${max}`
  return z
    .string()
    .regex(/^\d{1,5}$/, rule)
    .transform(Number)
    .refine(number => number >= min && number <= max, rule)
}

/** Elsewhere the system hands all connections of a shared port to one process. */
const SHARES_PORTS = process.platform === 'linux'
const MAX_PROCESSES = 64

export const processes = parsed(
  text => {
    const number =
      text === 'auto'
        ? SHARES_PORTS
          ? Math.min(availableParallelism(), MAX_PROCESSES)
          : 1
        : Number(/^\d{1,2}$/.exec(text))
    return number >= 1 && number <= (SHARES_PORTS ? MAX_PROCESSES : 1) ? number : undefined
  },
  SHARES_PORTS
    ? `must be a number from 1 to ${MAX_PROCESSES}, or auto`
    : 'must be 1 on this system: only Linux divides the connections to one port among processes',
)

export const duration = (minMs: number, maxMs: number, rule: string) =>
  parsed(text => {
    const ms = parseDuration(text)
    return ms !== undefined && ms >= minMs && ms <= maxMs ? ms : undefined
  }, rule)

export const publicBaseUrl = parsed(text => {
  const url = plainUrl(text)
  return url?.pathname.endsWith('/v1') ? url.href : undefined
}, 'must be an http or https address that ends in /v1, such as https://pets.example.org/v1')

/** The path is the OTLP specification's, below the path of the endpoint. */
export const otlpEndpoint = parsed(text => {
  const url = plainUrl(text)
  return url && `${url.href.replace(/\/$/, '')}/v1/traces`
}, 'must be an http or https address, such as http://127.0.0.1:4318')

/** No message shows the value: it may be a real key with a typing mistake. */
export const acceptedKey = z
  .string()
  .regex(/^[A-Za-z0-9\-._~+/]{20,512}=*$/, 'must have 20 to 512 characters out of letters, digits and -._~+/')

/** A key for a server, which decides itself whether it is one. */
export const sentKey = z.string().regex(/^[!-~]+$/, 'contains a character that no API key has')

/** An address without credentials, query and fragment. */
function plainUrl(text: string): URL | undefined {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined
  return url.search || url.hash || url.username || url.password ? undefined : url
}

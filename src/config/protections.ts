import { parseDuration } from './duration.ts'
import { parsed } from './schemas.ts'

/** How many requests a key may make in how many seconds. */
export interface RateLimitPolicy {
  readonly quota: number
  readonly windowSeconds: number
}

/** The files of the certificate chain and its private key, both PEM. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

const MAX_QUOTA = 100_000
const MAX_WINDOW_SECONDS = 86_400

/** `100/60s`: 100 requests in any 60 seconds. */
export const rateLimit = parsed<RateLimitPolicy>(text => {
  const [, count, duration = ''] = /^([1-9]\d{0,5})\/(\w{2,7})$/.exec(text) ?? []
  const quota = Number(count)
  const windowSeconds = (parseDuration(duration) ?? 0) / 1000
  return quota <= MAX_QUOTA && windowSeconds > 0 && windowSeconds <= MAX_WINDOW_SECONDS
    ? { quota, windowSeconds }
    : undefined
}, 'must be a count up to 100000 and a duration up to 1d, such as 100/60s')

/** Origins as browsers send them. `*` and `null` are none. */
export const origins = parsed<readonly string[]>(text => {
  const all = text.split(',')
  return all.every(part => isOrigin(part.trim())) ? [...new Set(all.map(part => part.trim()))] : undefined
}, 'must be a comma-separated list of origins such as https://shop.example.org; "*" is not allowed, because callers send keys')

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.origin === text
}

/** How many requests a key may make in how many seconds. */
export interface RateLimit {
  readonly quota: number
  readonly windowSeconds: number
}

/** Where the certificate chain and its private key lie, both as PEM. */
export interface TlsFiles {
  readonly cert: string
  readonly key: string
}

const SECONDS = { s: 1, m: 60, h: 3600 } as const
const MAX_QUOTA = 100_000
const MAX_WINDOW_SECONDS = 86_400

/** `100/60s`: 100 requests in any 60 seconds. Undefined when the text is no such limit. */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, count, span, unit] = /^([1-9]\d{0,5})\/([1-9]\d{0,4})([smh])$/.exec(text) ?? []
  const quota = Number(count)
  const windowSeconds = Number(span) * SECONDS[(unit ?? 's') as keyof typeof SECONDS]
  return quota <= MAX_QUOTA && windowSeconds <= MAX_WINDOW_SECONDS ? { quota, windowSeconds } : undefined
}

/** Origins as browsers send them, parted by commas. Undefined when one of them is none; `*` and `null` are not. */
export function parseOrigins(text: string): readonly string[] | undefined {
  const origins = text.split(',').map(part => part.trim())
  const areAll = origins.every(origin => {
    const url = URL.parse(origin)
    return url !== null && /^https?:$/.test(url.protocol) && url.origin === origin
  })
  return areAll ? [...new Set(origins)] : undefined
}
